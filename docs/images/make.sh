#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The pictures of tutorial.md: the page of --html for its three programs, as Chromium shows it. make.sh BUILD,
# in any directory; needs chromium (./dev setup) and, so that the pictures are small, pngquant.
set -euo pipefail
build=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

picture() { # NAME HEIGHT
    mpicc -g -o "$1" "$1.c" -lm
    "$build/isp" -n 3 --html "$1.html" "./$1" >/dev/null 2>&1 || true # they have findings
    chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --force-color-profile=srgb \
        --virtual-time-budget=8000 --window-size="1280,$2" --screenshot="$work/$1.png" \
        "file://$work/$1.html" >/dev/null 2>&1
    if command -v pngquant >/dev/null; then
        pngquant --force --output "$here/$1.png" 32 "$1.png"
    else
        cp "$1.png" "$here/$1.png"
    fi
}

cp "$here"/../../examples/*.c .
picture rounds 860
picture ring 620
picture converge 620
ls -l "$here"
