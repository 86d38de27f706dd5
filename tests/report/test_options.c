/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad command lines are refused by one line that says what to do, with exit code 2; good ones are
 * understood. Each is parsed in a child, since refusing means exiting. */
#include "case.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include "options/parse.h"

enum { MAX_WORDS = 32 };

/* Splits in place at blanks; '|' stands for a blank inside a word. */
static int split(char *line, char **words)
{
    int n = 0;
    for (char *word; (word = strsep(&line, " "));)
        if (*word)
            words[n++] = word;
    words[n] = NULL;
    for (int i = 0; i < n; i++)
        for (char *p = words[i]; (p = strchr(p, '|'));)
            *p = ' ';
    return n;
}

/* Parses in a child; leading NAME=value words are its environment. Returns its exit code, and what it
 * said on stderr. */
static int parse(const char *line, char *said, size_t room)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char copy[512], *words[MAX_WORDS + 1];
        snprintf(copy, sizeof copy, "%s", line);
        int n = split(copy, words), first = 0;
        while (first < n && strchr(words[first], '=') && words[first][0] != '-')
            putenv(words[first++]);
        dup2(ends[1], STDERR_FILENO);
        struct sched_options options;
        sched_options_parse(&options, n - first, words + first);
        fprintf(stderr, "n %d buffering %d polls %u timeout %g v %d q %d program %s word %s choices %d",
                options.ranks, options.buffering, options.polls, options.timeout_s, options.verbose,
                options.quiet, options.program, options.command[1] ? options.command[1] : "-",
                options.n_choices);
        _exit(0);
    }
    close(ends[1]);
    size_t size = 0;
    for (ssize_t got; size < room - 1 && (got = read(ends[0], said + size, room - 1 - size)) > 0;)
        size += (size_t)got;
    said[size] = '\0';
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_bad(void **state)
{
    static const struct {
        const char *line, *says;
    } table[] = {
        {"isp", "which program?"},
        {"isp -n 4", "which program?"},
        {"isp -n 4 --", "which program?"},
        {"isp ./prog", "give -n N"},
        {"isp -n", "-n needs a value"},
        {"isp -np", "-np needs a value"},
        {"isp --ranks", "--ranks needs a value: give the number of ranks"},
        {"isp --explain", "--explain needs a value: give a rule"},
        {"isp -n 0 ./prog", "-n 0: give the number of ranks"},
        {"isp -np -1 ./prog", "-n -1: give"},
        {"isp -n 4x ./prog", "-n 4x: give"},
        {"isp -n 99999999999999999999 ./prog", "give the number of ranks"},
        {"isp --frobnicate -n 4 ./prog",
         "--frobnicate: no such option, or it takes no value; see isp --help"},
        {"isp -n 4 --bufering zero ./prog", "--bufering: no such option; did you mean --buffering?"},
        {"isp -n 4 --interleavings=5 ./prog", "did you mean --max-interleavings?"},
        {"isp -n 4 --sotp-at-first ./prog", "did you mean --stop-at-first?"},
        {"isp -html x -n 4 ./prog", "-html: no such option; did you mean --html?"},
        {"isp -n 4 -json x ./prog", "-json: no such option; did you mean --json?"},
        {"isp doctr", "doctr: no such program; did you mean isp doctor?"},
        {"isp repaly -n 2 --choices 0 ./prog", "repaly: no such program; did you mean isp replay?"},
        {"isp exlpain deadlock", "exlpain: no such program; did you mean isp explain?"},
        {"isp debugg x.json", "did you mean isp debug?"},
        {"isp doctors", "did you mean isp doctor?"},
        {"isp -n 4 doctr", "program doctr not found in PATH"},
        {"isp ./doctr", "how many ranks?"},
        {"isp app", "how many ranks?"},
        {"isp ./prog -n 3", "isp's options come before the program: isp -n 3 ./prog"},
        {"isp mpiexec -hosts a,b -n 3 ./prog", "isp -n N --mpiexec \"mpiexec ITS OPTIONS\" program"},
        {"isp mpiexec -n 2 ./prog : -n 2 ./prog", "program (one for all ranks)"},
        {"isp mpirun ./prog", "how many ranks? isp starts mpirun by itself: isp -n N ./prog"},
        {"isp -n 4 mpiexec -n 3 ./prog", "-n 4, and mpiexec -n 3?"},
        {"isp srun -n 3 ./prog", "isp -n N --mpiexec \"srun ITS OPTIONS\" program"},
        {"PMI_SIZE=4 PMI_RANK=0 isp -n 3 ./prog", "isp starts mpiexec by itself: type isp -n 4 ./prog"},
        {"isp -n 4 -x ./prog", "-x: no such option"},
        {"isp -n 4 --buffering=often ./prog", "--buffering often: give zero, infinite or auto"},
        {"isp -n 4 --timeout nan ./prog", "--timeout nan: give seconds"},
        {"isp -n 4 --timeout=-1 ./prog", "--timeout -1: give seconds"},
        {"isp -n 4 --max-time ten ./prog", "--max-time ten: give seconds, or 0 for none"},
        {"isp -n 4 --max-interleavings 0 ./prog", "--max-interleavings 0: give a whole number from 1"},
        {"isp -n 4 --max-interleavings 1e6 ./prog", "--max-interleavings 1e6: give"},
        {"isp -n 4 --mix=-1 ./prog", "--mix -1: give a whole number from 0"},
        {"isp -n 4 --sample 0 ./prog", "--sample 0: give a whole number from 1"},
        {"isp -n 4 --sample 5 --seed=-1 ./prog", "--seed -1: give a whole number from 0"},
        {"isp -n 4 --seed 3 ./prog", "--seed belongs to --sample N"},
        {"isp -n 4 --loop f,,g ./prog", "--loop f,,g: give the name of a function, or several: f,g"},
        {"isp -n 4 --debug=2 ./prog", "no such option, or it takes no value"},
        {"isp replay -n 4 --choices 0.1 --debug ./prog", "--debug is about"},
        {"isp -n 4 --stop-at-first=2 ./prog", "no such option, or it takes no value"},
        {"ISP_STOP_AT_FIRST=yes isp -n 4 ./prog", "ISP_STOP_AT_FIRST=yes (environment): give 0 or 1"},
        {"isp replay -n 4 --choices 0.1 --mix 2 ./prog",
         "--mix is about which interleavings are explored; isp replay runs one"},
        {"isp replay -n 4 --choices 0.1 --stop-at-first ./prog", "--stop-at-first is about"},
        {"isp -n 4 --polls=-1 ./prog", "--polls -1: give"},
        {"isp -n 4 --livelock-rounds 0 ./prog", "--livelock-rounds 0: give"},
        {"isp -n 4 --tcp localhost ./prog", "--tcp localhost: give HOST:PORT"},
        {"isp -n 4 --tcp h:99999 ./prog", "give HOST:PORT"},
        {"isp -n 4 --output some ./prog", "--output some: give first, all or none"},
        {"isp -n 4 --error-exitcode 256 ./prog", "--error-exitcode 256: give"},
        {"isp -n 4 --json=/nosuch/x ./prog", "cannot write in /nosuch"},
        {"isp -n 4 --save=/nosuch/x ./prog", "--save /nosuch/x: cannot write in /nosuch"},
        {"isp --resume /nosuch/x", "--resume /nosuch/x: No such file"},
        {"isp -n 4 -j 0 ./prog", "-j 0: give a number of processes, or auto"},
        {"isp -n 4 --sample 3 --save x ./prog", "random walks cannot be saved"},
        {"isp replay -n 4 --choices 0 --save x ./prog", "isp replay runs one"},
        {"isp -n 4 --mpiexec nosuch-launcher|-x ./prog", "launcher nosuch-launcher not found"},
        {"isp -n 4 --mpiexec | ./prog", "give the launcher"},
        {"isp -n 4 --choices 0.1 ./prog", "belongs to isp replay"},
        {"isp -n 4 --suppressions nosuch ./prog", "suppressions: nosuch: No such file"},
        {"isp -n 4 --suppressions bad.supp ./prog", "suppressions: bad.supp:3: there is no rule \"leek\""},
        {"ISP_SUPPRESSIONS=good.supp:bad.supp isp -n 4 ./prog", "suppressions: bad.supp:3: there"},
        {"isp --explain leak-", "there is no such rule; there are leak-communicator, leak-group"},
        {"isp --explain foo", "isp explain lists them all"},
        {"isp replay -n 4 ./prog", "which interleaving?"},
        {"isp replay -n 4 --choices 0..1 ./prog", "--choices 0..1: give the name of an interleaving"},
        {"ISP_N=four isp ./prog", "ISP_N=four (environment): give the number of ranks"},
        {"ISP_BUFFERING=x isp -n 4 ./prog", "ISP_BUFFERING=x (environment)"},
        {"isp -n 4 nosuch-program", "nosuch-program not found in PATH"},
        {"isp -n 4 ./nosuch", "./nosuch not found"},
        {"isp -n 4 ./folder", "./folder is a directory"},
        {"isp -n 4 ./prog.c", "./prog.c is not executable"},
        {"isp -n 4 ./static", "./static is linked statically, so isp cannot watch it"},
        {"isp -n 4 ./object.o", "./object.o is an object file"},
        {"isp -n 4 ./openmpi", "./openmpi is built with Open MPI"},
        {"isp -n 4 ./foreign", "./foreign is built for another machine"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char said[2048];
        print_message("%s\n", table[i].line);
        int code = parse(table[i].line, said, sizeof said);
        assert_has(said, table[i].says);
        assert_int_equal(code, ISP_EXIT_USAGE);
        assert_int_equal(strncmp(said, "isp: ", 5), 0);
        assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1); /* one line */
    }
}

static void test_good(void **state)
{
    static const struct {
        const char *line, *says;
    } table[] = {
        {"isp -n 4 ./prog", "n 4 buffering 2 polls 1 timeout 60 v 0 q 0 program ./prog word - choices 0"},
        {"isp -np 4 ./prog -np 3", "n 4 buffering 2 polls 1 timeout 60 v 0 q 0 program ./prog word -np"},
        {"isp -n4 --buffering zero -vv -- ./prog --help",
         "n 4 buffering 0 polls 1 timeout 60 v 2 q 0 program ./prog word --help"},
        {"isp --ranks=2 --timeout=0.5 -q ./prog", "n 2 buffering 2 polls 1 timeout 0.5 v 0 q 1"},
        {"isp replay -np 3 --choices 0*3.1 ./prog", "choices 4"},
        {"isp replay -np 3 --choices 0 ./prog", "choices 0"}, /* a run without choice points has this name */
        {"ISP_CHOICES=0.2 isp replay -n 3 ./prog", "choices 2"},
        {"ISP_MIX=bad ISP_SAMPLE=0 isp replay -n 3 --choices 0.2 ./prog", "choices 2"},
        {"ISP_SEED=3 isp -n 3 ./prog", "n 3"},
        {"isp -n 3 --loop f --loop g,h --mix 0 --sample 5 --seed 0 --max-interleavings 9 --stop-at-first "
         "./prog",
         "n 3"},
        {"ISP_CHOICES=bad isp -n 3 ./prog", "n 3"},
        {"ISP_N=5 ISP_POLLS=3 ISP_VERBOSE=1 isp ./prog", "n 5 buffering 2 polls 3 timeout 60 v 1"},
        {"ISP_N=five isp -n 4 ./prog", "n 4"}, /* the command line wins */
        {"ISP_N= isp -n 4 ./script arg", "program ./script word arg"},
        {"isp -n 1 --suppressions good.supp --suppressions good.supp --gen-suppressions prog", "n 1"},
        {"isp -n 1 prog", "program ./bin/prog"},
        {"isp mpiexec -n 3 ./prog -n 4", "note: isp starts the launcher by itself; this is taken as isp -n 3 "
                                         "./prog ...\nn 3 buffering"},
        {"isp -q mpirun -np 3 ./prog", "n 3 buffering"},
        {"isp -n 3 --buffering zero mpiexec ./prog", "n 3 buffering 0"},
        {"PMI_SIZE=1 PMI_RANK=0 isp -n 3 ./prog", "n 3"},
        {"isp -n 3 ./script --html x", "note: --html stands behind the program, so the program gets it"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char said[2048];
        print_message("%s\n", table[i].line);
        int code = parse(table[i].line, said, sizeof said);
        assert_has(said, table[i].says);
        assert_int_equal(code, 0);
    }
}

/* Words that the program may well be meant to have. */
static void test_no_note(void **state)
{
    static const char *const lines[] = {"isp -n 3 -- ./script --html x", "isp -q -n 3 ./script --html x",
                                        "isp -n 3 ./knows --html x", "isp -n 3 ./script --htm x -- --html",
                                        "isp -n 3 -- ./script -n 4"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char said[2048];
        print_message("%s\n", lines[i]);
        assert_int_equal(parse(lines[i], said, sizeof said), 0);
        assert_int_equal(strncmp(said, "n 3 buffering", 13), 0);
    }
}

/* The same program with another machine in its ELF header. */
static void make_foreign(void)
{
    assert_int_equal(system("cp prog foreign"), 0);
    FILE *f = fopen("foreign", "r+");
    assert_non_null(f);
    assert_int_equal(fseek(f, 18, SEEK_SET), 0); /* e_machine */
    assert_int_equal(fputc(0x16, f), 0x16);      /* EM_S390 */
    assert_int_equal(fclose(f), 0);
}

static int set_up(void **state)
{
    if (case_folder(state) != 0)
        return -1;
    case_file("prog.c", "int main(void) { return 0; }\n");
    case_file("script", "#!/bin/sh\nexit 0\n");
    case_file("knows", "#!/bin/sh\ncase $1 in --html) ;; esac\n");
    case_file("good.supp", "isp-suppressions 1\n");
    case_file("bad.supp", "isp-suppressions 1\n{\nrule: leek\n}\n");
    case_compile("prog.c -o prog");
    case_compile("-static prog.c -o static");
    case_compile("-c prog.c -o object.o");
    case_compile("-shared -fPIC -Wl,-soname,libmpi.so.40 prog.c -o libmpi.so");
    case_compile("prog.c -Wl,--no-as-needed ./libmpi.so -o openmpi");
    make_foreign();
    bool ok = mkdir("folder", 0755) == 0 && mkdir("bin", 0755) == 0 && chmod("script", 0755) == 0 &&
              chmod("knows", 0755) == 0 && chmod("object.o", 0755) == 0 &&
              system("cp prog bin/prog; cp /bin/true bin/mpiexec") == 0;
    return ok && setenv("PATH", "./bin:/usr/bin:/bin", 1) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bad), cmocka_unit_test(test_good),
                                       cmocka_unit_test(test_no_note)};
    return cmocka_run_group_tests(tests, set_up, case_folder_remove);
}
