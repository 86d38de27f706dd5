/* SPDX-License-Identifier: BSD-3-Clause */
/* In place of UCX: it sends nothing, and its requests are what the test has put here. */
#include <stddef.h>
#include <stdint.h>

void *ucp_next_request;
const char *ucp_own_address;
const void *ucp_next_endpoint;
int ucp_released, ucp_completes_at_once;

int ucp_worker_get_address(void *worker, const char **address, size_t *bytes);
int ucp_ep_create(void *worker, const void *parameters, const void **endpoint);
void *ucp_tag_send_nbx(void *endpoint, const void *buffer, size_t n, uint64_t tag, const void *parameters);
void *ucp_tag_recv_nbx(void *worker, void *buffer, size_t n, uint64_t tag, uint64_t mask,
                       const void *parameters);
void ucp_request_release(void *request);

int ucp_worker_get_address(void *worker, const char **address, size_t *bytes)
{
    *address = ucp_own_address;
    *bytes = 100;
    return 0;
}

int ucp_ep_create(void *worker, const void *parameters, const void **endpoint)
{
    *endpoint = ucp_next_endpoint;
    return 0;
}

void *ucp_tag_send_nbx(void *endpoint, const void *buffer, size_t n, uint64_t tag, const void *parameters)
{
    return ucp_next_request;
}

void *ucp_tag_recv_nbx(void *worker, void *buffer, size_t n, uint64_t tag, uint64_t mask,
                       const void *parameters)
{
    if (ucp_completes_at_once) /* its callback releases it */
        ucp_request_release(ucp_next_request);
    return ucp_next_request;
}

void ucp_request_release(void *request) { ucp_released++; }
