#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What isp-cc calls. usage: commands.sh BUILD_DIR
build=$1
failed=0

expect() { # what, exit code, pattern that the output must match; the rest is the command
    what=$1 code=$2 pattern=$3
    shift 3
    output=$("$@" 2>&1)
    got=$?
    if [ $got != "$code" ] || ! echo "$output" | grep -Eq -e "$pattern"; then
        echo "FAIL $what: exit code $got, expected $code; output, expected /$pattern/:"
        echo "$output"
        failed=1
    else
        echo "ok $what"
    fi
}

expect "help names the program" 0 '^usage: isp-fort ' "$build/isp-fort" --help
expect "nothing to do is a usage error" 2 '^usage: isp-cc ' "$build/isp-cc"
expect "a link gets the profiler, first" 0 'whole-archive,[^ ]*libisp.a,.* a.c .*-lmpich' \
    "$build/isp-cc" -show a.c
expect "compiling does not" 0 '^[^@]* -c a.c( .*)?$' "$build/isp-cc" -show -c a.c
expect "compiling: no archive" 1 '^$' sh -c '"$0/isp-cc" -show -c a.c | grep libisp.a' "$build"
expect "nor does a shared library" 1 '^$' sh -c '"$0/isp-cc" -show -shared a.c | grep libisp.a' "$build"
expect "MPI alone as an archive" 0 'a.c -Wl,--wrap=MPII_Grequest_set_lang_f77 -l:libmpich.a .*-lucp' \
    "$build/isp-cc" -show -static-mpi a.c
expect "all as archives" 0 'wrap=ucp_worker_progress' "$build/isp-cxx" -show -static a.cc
expect "another compiler" 0 '^my-cc -O2 -Wl,.* a.c -Wl,--wrap=dlsym' \
    env ISP_CC="echo my-cc -O2" "$build/isp-cc" a.c
expect "instrumented code: with our functions" 0 \
    '^[^@]* -L[^ ]*/compilers .*-fsanitize=thread .*-static-libtsan' \
    "$build/isp-cc" -show -fisp-memory a.c
expect "instrumented code: not in a static program" 2 'fisp-memory does not work with -static' \
    "$build/isp-cc" -static -fisp-memory a.c

# Where the plain names are Open MPI's, as on most machines that have both.
others=$(mktemp -d)
trap 'rm -rf "$others"' EXIT
printf '#!/bin/sh\necho "$0: Open MPI 4.1.4 (Language: C)"\n' >"$others/mpicc"
printf '#!/bin/sh\necho MPICH "$@"\n' >"$others/mpicc.mpich"
chmod +x "$others"/*
expect "MPICH's is taken, and not Open MPI's" 0 '^MPICH -Wl,--whole-archive,.*libisp.a,.* a.c ' \
    env PATH="$others:$PATH" "$build/isp-cc" a.c
rm "$others/mpicc.mpich"
for tool in sh dirname readlink; do ln -s "$(command -v $tool)" "$others/$tool"; done
expect "there is none" 2 "mpicc is Open MPI's, and there is no mpicc.mpich: install MPICH's" \
    env PATH="$others" "$build/isp-cc" a.c
exit $failed
