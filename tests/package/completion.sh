#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Drives the completion of isp as bash would: completion.sh FILE. `expect LINE WORD...`: the line up to the
# cursor, with | between bash's words, completes to exactly these words. With `+` first: to these and others.
set -u
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
file=$(readlink -f "$1")
cd "$here" || exit 1
touch app input.dat run.isp
mkdir "a folder"
chmod +x app
# shellcheck source=/dev/null
source "$file"

# A program with a completion of its own, and bash-completion's function that asks it.
_command_offset() { COMPREPLY=("program:${COMP_WORDS[$1]}"); }

failed=0
expect() {
    local line="$1" more=no found word
    shift
    [ "${1:-}" != + ] || { more=yes; shift; }
    mapfile -t -d '|' COMP_WORDS < <(printf '%s|' "$line")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _isp
    found=$(printf '%s\n' "${COMPREPLY[@]}" | sort)
    if [ $more = yes ]; then
        for word; do
            if ! grep -qxF -e "$word" <<<"$found"; then
                echo "FAIL $line: no $word in: ${COMPREPLY[*]}"
                failed=1
                return
            fi
        done
    elif [ "$found" != "$(printf '%s\n' "$@" | sort)" ]; then
        echo "FAIL $line: ${COMPREPLY[*]}, not $*"
        failed=1
        return
    fi
    echo "ok $line"
}

expect 'isp|' + replay report explain doctor app 'a folder'
expect 'isp|re' + replay report
expect 'isp|--buf' --buffering
expect 'isp|--buffering|' zero infinite auto
expect 'isp|--buffering|=|i' infinite
expect 'isp|--buffering|=' zero infinite auto
expect 'isp|--memory|c' checksum
expect 'isp|-n|'
expect 'isp|-n|4|--jo' --jobs
expect 'isp|-n|4|--json|i' input.dat
expect 'isp|-n|4|--output|=|a' all
expect 'isp|-n|4|./' + ./app './a folder' ./input.dat
expect 'isp|-n|4|./app|' program:./app
expect 'isp|-n4|--stacks|./app|--x' program:./app
expect 'isp|-np|4|--json|=|r.json|./app|-' program:./app
expect 'isp|-n|4|--|a' + app 'a folder'
expect 'isp|-n|4|--|-odd|x' program:-odd
expect 'isp|--choi'
expect 'isp|replay|--choi' --choices
expect 'isp|replay|--sav'
expect 'isp|replay|-n|4|--choices|0|--|./app|' program:./app
expect 'isp|explain|dead' deadlock
expect 'isp|--explain|=|live' livelock
expect 'isp|explain|leak-o' leak-op
expect 'isp|report|' app input.dat run.isp 'a folder'
expect 'isp|report|run.isp|--ht' --html
expect 'isp|report|run.isp|--html|in' input.dat
expect 'isp|report|run.isp|--buf'
expect 'isp|doctor|' app input.dat run.isp 'a folder'
expect 'isp|doctor|--j' --json
expect 'isp|doctor|--json|./a' ./app './a folder'
exit $failed
