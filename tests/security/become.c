/* SPDX-License-Identifier: BSD-3-Clause */
/* become USER SECONDS: set-user-ID to root; is another user from then on, as what sudo or su starts is, in a
 * session of its own, and sleeps. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    uid_t user = (uid_t)atoi(argv[argc - 2]);
    if (setresuid(user, user, user) != 0) {
        perror("become");
        return 1;
    }
    setsid();
    sleep((unsigned)atoi(argv[argc - 1]));
    return 0;
}
