#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# build.sh OUTDIR: the programs of this folder, as a user would compile them.
set -e
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$out"
mpicc -g -o c "$here/values.c"
mpicxx -g -std=c++17 -o cxx "$here/values.cc"
mpifort -g -fallow-argument-mismatch -w -J. -o fortran "$here/values.f90"
