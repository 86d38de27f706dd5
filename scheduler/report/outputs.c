/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/broom.h"
#include "base/reserve.h"
#include "base/say.h"

const struct sched_format_row sched_formats[SCHED_FORMATS] = {
#define ROW(name, function, option, needs_trace) {"--" option, needs_trace, sched_report_##function},
    SCHED_FORMAT_LIST(ROW)
#undef ROW
};

bool sched_outputs_need_trace(const char *const files[SCHED_FORMATS])
{
    for (int i = 0; i < SCHED_FORMATS; i++)
        if (files[i] && sched_formats[i].needs_trace)
            return true;
    return false;
}

static bool write_to(const struct sched_report *report, enum sched_format format, FILE *out)
{
    errno = 0;
    bool ok = sched_formats[format].write(report, out);
    return fflush(out) == 0 && ok;
}

/* Anything but a regular file (a pipe, /dev/null) cannot be replaced by a rename. */
static bool is_special(const char *file)
{
    struct stat st;
    return stat(file, &st) == 0 && !S_ISREG(st.st_mode);
}

static int write_in_place(const struct sched_report *report, enum sched_format format, const char *file)
{
    FILE *out = fopen(file, "we");
    if (!out)
        return -errno;
    bool ok = write_to(report, format, out);
    int error = ok ? 0 : errno ? errno : EIO;
    return fclose(out) == 0 || error ? -error : -errno;
}

static int write_beside(const struct sched_report *report, enum sched_format format, const char *file)
{
    int fd;
    char *beside = sched_broom_create(file, &fd);
    if (!beside)
        return -errno;
    FILE *out = fdopen(fd, "w");
    errno = out ? 0 : errno;
    bool ok = out && write_to(report, format, out);
    int error = ok ? 0 : errno ? errno : EIO;
    if ((out ? fclose(out) : close(fd)) != 0 && !error)
        error = errno;
    if (!error && !sched_broom_place(beside, file))
        error = errno;
    if (error)
        sched_broom_remove(beside);
    free(beside);
    return -error;
}

int sched_output_write(const struct sched_report *report, enum sched_format format, const char *file)
{
    if (strcmp(file, "-") == 0)
        return write_to(report, format, stdout) ? 0 : -(errno ? errno : EIO);
    return is_special(file) ? write_in_place(report, format, file) : write_beside(report, format, file);
}

bool sched_outputs_write(const struct sched_report *report, const char *const files[SCHED_FORMATS])
{
    bool ok = true;
    for (int i = 0; i < SCHED_FORMATS; i++) {
        if (!files[i] || (sched_formats[i].needs_trace && !report->trace))
            continue;
        sched_reserve_is_needed(); /* then it is free for this */
        int error = sched_output_write(report, (enum sched_format)i, files[i]);
        if (error)
            sched_say("%s %s: %s", sched_formats[i].option, files[i],
                      error == -EBADMSG ? "the trace is damaged" : strerror(-error));
        ok = ok && !error;
    }
    return ok;
}
