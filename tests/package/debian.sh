#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The Debian package builds from what is committed, and an isp from it works: debian.sh ROOT.
set -u
cd "$1" || exit 1
git -c safe.directory="$PWD" rev-parse --quiet --verify HEAD >/dev/null || {
    echo "no git repository: skipped"
    exit 77
}
exec ./dev package --without-lintian
