/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks tell a running isp. The input is what they send, in the order in which it comes; the rest is the
 * real scheduler, from the frames to the findings and all reports, for several interleavings, each of which
 * gets the same bytes. Not real are the processes and sockets (these are the target `link`), and the time,
 * which goes by when isp waits.
 *
 * Input: u8 ranks and buffering, u8 options, then entries. An entry: u8 rank and kind; of a frame u8 type,
 * u16 length, payload. record.py makes inputs of real runs.
 */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "fuzz.h"

#include "base/alloc.h"
#include "explore/part.h"
#include "parallel/search.h"
#include "launch/launch.h"
#include "options/parse.h"
#include "link/link.h"
#include "report/json.h"
#include "report/outputs.h"
#include "report/text.h"
#include "findings/suppressions.h"
#include "trace/trace.h"

enum { MOST_RANKS = 4, MOST_WAITS = 20000 };

/* ---- time ---- */

static double now_s;

int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
    now_s += 1e-3; /* so that what waits for a while, without sleeping, ends */
    t->tv_sec = (time_t)now_s;
    t->tv_nsec = (long)((now_s - (double)t->tv_sec) * 1e9);
    return 0;
}

/* ---- the link, from a script ---- */

struct frames {
    struct frame {
        uint8_t type;
        uint8_t *payload;
        uint32_t size;
    } * all;
    size_t n, at;
};

static struct {
    const uint8_t *begin, *end;
    struct isp_reader in;
    int ranks;
    bool over; /* all of it was played */
    unsigned waits;
    struct sched_launch launch;
    struct sched_link link;
    struct sched_peer peers[MOST_RANKS];
    struct frames frames[MOST_RANKS];
} play;

static void push(int rank, uint8_t type, const uint8_t *payload, uint32_t size)
{
    struct frames *f = &play.frames[rank];
    f->all = sched_grow(f->all, f->n + 1, sizeof *f->all);
    f->all[f->n++] = (struct frame){type, fuzz_copy(payload, size), size};
    play.peers[rank].ready = true;
}

static void forget_frames(void)
{
    for (int i = 0; i < MOST_RANKS; i++) {
        for (size_t k = 0; k < play.frames[i].n; k++)
            free(play.frames[i].all[k].payload);
        free(play.frames[i].all);
        play.frames[i] = (struct frames){0};
    }
}

static void end_rank(int rank, bool broken)
{
    play.peers[rank].eof = play.peers[rank].ready = true;
    play.peers[rank].broken |= broken;
}

static void end_all(void)
{
    for (int i = 0; i < play.ranks; i++)
        end_rank(i, false);
    play.launch.ended = play.launch.gone = play.over = true;
}

enum { FRAME_KINDS = 10, ENDS = FRAME_KINDS, BREAKS, TIME, LAUNCHER_ENDS, RUSH };

/* The next entry. */
static void go_on(void)
{
    struct isp_reader *in = &play.in;
    if (!in->ok || in->at >= in->end || ++play.waits > MOST_WAITS) {
        end_all();
        return;
    }
    uint8_t head = isp_get_u8(in);
    int rank = (head & 3) % play.ranks, kind = head >> 2 & 15;
    switch (kind) {
    case ENDS:
    case BREAKS: end_rank(rank, kind == BREAKS); return;
    case TIME: now_s += isp_get_u8(in) / 4.0; return;
    case LAUNCHER_ENDS:
        play.launch.ended = true;
        play.launch.status = isp_get_u16(in);
        return;
    case RUSH: /* several at once */
        for (unsigned n = isp_get_u8(in) % 32; n && !play.over; n--)
            go_on();
        return;
    default: break;
    }
    uint8_t type = isp_get_u8(in);
    uint32_t size = isp_get_u16(in), left = (uint32_t)(in->end - in->at);
    size = size < left ? size : left;
    const uint8_t *payload = isp_get_bytes(in, size);
    if (type != ISP_MSG_HELLO)
        push(rank, type, payload, size);
}

struct sched_link *sched_link_create(struct event_base *base, const char *dir, const char *tcp, char **error)
{
    forget_frames();
    play.in = isp_reader_of(play.begin, (size_t)(play.end - play.begin));
    play.over = false;
    play.waits = 0;
    play.link = (struct sched_link){.fd = -1};
    for (int i = 0; i < play.ranks; i++) {
        play.peers[i] = (struct sched_peer){
            .rank = i, .size = play.ranks, .pid = 1, .host = "host", .fd = -1, .link = &play.link};
        push(i, ISP_MSG_HELLO, NULL, 0);
    }
    return &play.link;
}

void sched_link_destroy(struct sched_link *link) { forget_frames(); }
void sched_link_share(struct sched_link *link, int n) {}
void sched_link_rest(struct sched_link *link) {}
bool sched_link_listen_again(struct sched_link *link) { return true; }
bool sched_link_yield(struct sched_link *link) { return false; }
bool sched_link_look(struct sched_link *link) { return false; }
void sched_link_drain(struct sched_link *link) {}

void sched_link_wait(struct sched_link *link)
{
    now_s += 0.02;
    go_on();
}

struct sched_peer *sched_link_ready(struct sched_link *link)
{
    for (int i = 0; i < play.ranks; i++)
        if (play.peers[i].ready) {
            play.peers[i].ready = false;
            return &play.peers[i];
        }
    return NULL;
}

bool sched_peer_frame(struct sched_peer *peer, uint8_t *type, struct isp_reader *payload)
{
    struct frames *f = &play.frames[peer->rank];
    if (f->at == f->n || peer->broken)
        return false;
    *type = f->all[f->at].type;
    *payload = isp_reader_of(f->all[f->at].payload, f->all[f->at].size);
    f->at++;
    return true;
}

void sched_peer_welcome(struct sched_peer *peer, const struct isp_buf *frame) {}
void sched_peer_refuse(struct sched_peer *peer) { end_rank(peer->rank, false); }

/* What isp sends must be frames that a rank can read. */
void sched_peer_send(struct sched_peer *peer, const struct isp_buf *frames)
{
    struct isp_reader r = isp_reader_of(frames->data, frames->size);
    while (r.at < r.end) {
        uint32_t length = isp_get_u32(&r);
        FUZZ_CHECK(r.ok && length > 0 && length <= ISP_WIRE_FRAME_MAX);
        FUZZ_CHECK(isp_get_bytes(&r, length));
    }
}

/* ---- the launcher ---- */

struct sched_launch *sched_launch_create(struct event_base *base, const struct sched_options *options,
                                         enum sched_output output, int keep,
                                         const struct sched_printed *printed, char **error)
{
    play.launch = (struct sched_launch){.dir = "/nowhere"};
    return &play.launch;
}

void sched_launch_remember(void) {}
void sched_launch_go(struct sched_launch *launch, const char *link, const char *token) {}
void sched_launch_hush(struct sched_launch *launch) {}
void sched_launch_urge(const struct sched_launch *launch) {}
void sched_launch_kill(struct sched_launch *launch) { end_all(); }
const char *sched_launch_last_words(const struct sched_launch *launch) { return ""; }
bool sched_launch_has_failed(const struct sched_launch *launch) { return false; }
char *sched_launch_victim(struct sched_launch *launch, bool early) { return NULL; }
void sched_launch_destroy(struct sched_launch *launch) {}

/* Nothing but what the script says ever happens. */
int __wrap_event_base_loop(struct event_base *base, int flags);
int __wrap_event_base_loop(struct event_base *base, int flags)
{
    now_s += 0.05;
    return 0;
}

/* Memory of other processes. */
bool __wrap_sched_segments_add(void *segments, int rank, pid_t pid, int fd);
bool __wrap_sched_segments_add(void *segments, int rank, pid_t pid, int fd) { return true; }
size_t __wrap_sched_segments_count(const void *segments);
size_t __wrap_sched_segments_count(const void *segments) { return 1; }
pid_t __wrap_sched_processes_child(pid_t parent);
pid_t __wrap_sched_processes_child(pid_t parent) { return 0; }

/* ---- reports ---- */

static void write_reports(const struct sched_result *result)
{
    char *text = NULL, *why = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    sched_report_text(result, out);
    struct sched_report report = {.result = sched_result_json(result)};
    FUZZ_CHECK(report.result);
    fflush(out);
    if (result->trace && sched_trace_finish(result->trace, report.result, result->findings, text, &why))
        report.trace = sched_trace_read(result->trace, &why);
    for (int i = 0; i < SCHED_FORMATS; i++)
        if (report.trace || !sched_formats[i].needs_trace)
            sched_formats[i].write(&report, out);
    fclose(out);
    free(text);
    free(why);
    json_decref((json_t *)report.result);
}

/* ---- one input ---- */

static void init(struct sched_options *options)
{
    static char *words[] = {"isp", "-n",        "2", "--mpiexec", "/bin/true", "--max-interleavings",
                            "3",   "--threads", "1", "-q",        "--",        "/bin/true",
                            NULL};
    struct sched_options parsed;
    signal(SIGPIPE, SIG_IGN);
    sched_options_parse(&parsed, sizeof words / sizeof *words - 1, words);
    *options = parsed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sched_options usual;
    if (!usual.ranks)
        init(&usual);
    struct isp_reader in = isp_reader_of(data, size);
    uint8_t world = isp_get_u8(&in), bits = isp_get_u8(&in);
    static const enum isp_buffering buffering[] = {ISP_BUFFERING_AUTO, ISP_BUFFERING_ZERO,
                                                   ISP_BUFFERING_INFINITE, ISP_BUFFERING_AUTO};
    struct sched_options options = usual;
    options.ranks = 1 + (world & 3);
    options.buffering = buffering[world >> 2 & 3];
    options.polls = world >> 4 & 3;
    options.livelock_rounds = 10;
    options.checkpoints = bits & 1 ? 4 : 0;
    options.stacks = bits & 2;
    options.on_error = bits & 4 ? ISP_ON_ERROR_CONTINUE : ISP_ON_ERROR_STOP;
    options.mix = bits & 8 ? 1 : -1;
    options.gen_suppressions = bits & 16;
    options.verbose = bits & 32 ? 2 : 0;
    play.begin = in.at;
    play.end = in.end;
    play.ranks = options.ranks;
    now_s = 1000;

    struct sched_result result;
    char *why = NULL;
    sched_part_init(&result, &options, sched_sites_create());
    if ((bits & 0xc0) == 0xc0) /* slow */
        result.trace = sched_trace_create(NULL, result.sites, &why);
    free(why);
    if (sched_search(&options, &result) == 0)
        write_reports(&result);
    sched_trace_destroy(result.trace);
    struct sched_sites *sites = result.sites;
    sched_part_finish(&result);
    sched_sites_destroy(sites);
    return 0;
}
