#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The release's tarball is made twice, in two clones, with other settings, and must be the same: dist.sh ROOT.
# What is in it is all that is committed, and nothing else.
set -u
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
root=$1
export HOME="$here" GIT_CONFIG_NOSYSTEM=1
git config --global safe.directory '*'
git -C "$root" rev-parse --quiet --verify HEAD >/dev/null || { echo "no git repository: skipped"; exit 77; }

make() { # FOLDER UMASK ZONE LANGUAGE DATE
    git clone --quiet --no-hardlinks "$root" "$here/$1" || exit 1
    find "$here/$1" -path '*/.git' -prune -o -exec touch -d "$5" {} +
    (cd "$here/$1" && umask "$2" && TZ=$3 LC_ALL=$4 ./dev dist) | cut -d ' ' -f 1
}

failed=0
expect() { # NAME EXPECTED FOUND
    if [ "$2" = "$3" ]; then echo "ok $1"; else echo "FAIL $1: $3, not $2"; failed=1; fi
}

first=$(make one 022 UTC C 2001-02-03)
[ -n "$first" ] || { echo "FAIL ./dev dist"; exit 1; }
second=$(make "another folder" 077 Asia/Tokyo C.UTF-8 2020-01-01)
expect "the same bytes twice" "${first:-none}" "$second"
archive=$(echo "$here"/one/build-dist/isp-*.tar.gz)
name=$(basename "$archive" .tar.gz)
expect "named after the version" "isp-$(sed -n "s/^  version: '\(.*\)',/\1/p" "$root/meson.build")" "$name"
tar -tzf "$archive" | grep -v '/$' | sort >"$here/found"
git -C "$here/one" ls-files | sed "s|^|$name/|" | sort >"$here/committed"
expect "all that is committed, in one folder" "" "$(diff "$here/committed" "$here/found" | head -5)"
modes=$(tar -tvzf "$archive" | cut -d ' ' -f 1,2 | sort -u | tr '\n' ',')
expect "of nobody in particular, and readable" \
    "-rw-r--r-- root/root,-rwxr-xr-x root/root,drwxr-xr-x root/root," "$modes"
exit $failed
