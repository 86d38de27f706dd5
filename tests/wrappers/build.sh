#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# build.sh OUTDIR: the programs of this folder, with and without optimization, and the library without debug
# information. CC, CXX: compilers that mpicc and mpicxx are to use.
set -e
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$out"
export MPICH_CC="${CC:-cc}" MPICH_CXX="${CXX:-c++}"
mpicxx -O2 -fPIC -shared -x c++ "$here/quiet_cxx.cc" -x c "$here/quiet.c" -o libquiet.so
strip libquiet.so
mpicc -O2 -g0 -fPIC -shared "$here/silent.c" -o libsilent.so
for level in 0 2; do
    mpicc -g -O$level -o c_O$level "$here/c.c" -L. -lquiet -Wl,-rpath,"$out"
    mpicxx -g -O$level -std=c++17 -o cxx_O$level "$here/cxx.cc" -L. -lquiet -Wl,-rpath,"$out"
    mpifort -g -O$level -fallow-argument-mismatch -w -J. -o fortran_O$level "$here/fortran.f90"
    mpicxx -g -O$level -std=c++17 -o layers_O$level "$here/layers.cc" -L. -lsilent -Wl,-rpath,"$out"
    mpifort -g -O$level -w -J. -o modern_O$level "$here/modern.f90"
done
