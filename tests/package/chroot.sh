#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A command of ./dev on a bare Debian, in a fresh clone of the project: chroot.sh SUITE [COMMAND...]
# SUITE is a release of Debian, as debootstrap names it; the command is `demo` if none is given. What is
# committed is cloned into build-chroot/SUITE. What is installed and built there stays for the next command:
# remove that folder to begin anew.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
[ "$(id -u)" = 0 ] || { echo "chroot.sh: only root can change root" >&2; exit 1; }
suite=$1
shift
[ $# -gt 0 ] || set -- demo
folder=build-chroot/$suite

if [ ! -d "$folder" ]; then
    mkdir -p build-chroot
    rm -rf "$folder.new"
    debootstrap --variant=minbase "$suite" "$folder.new" # the archive is debootstrap's own choice
    mv "$folder.new" "$folder"
fi
if [ -d "$folder/root/isp" ]; then
    git -C "$folder/root/isp" fetch --quiet "$PWD" HEAD
    git -C "$folder/root/isp" checkout --quiet --detach FETCH_HEAD
else
    git clone --quiet --no-hardlinks . "$folder/root/isp"
fi

# The network is reached as from outside. An archive may be one of an older day, if this machine takes it so.
cp --remove-destination --dereference /etc/resolv.conf "$folder/etc/resolv.conf"
apt-config dump | grep -E '^Acquire::(Check-|https?::Proxy)' >"$folder/etc/apt/apt.conf.d/99outside" || true
mapfile -t network < <(env | grep -iE '^([a-z]+_proxy|npm_config_[a-z_]*|CI|TEST_JOBS)=' || true)

# Mounts and processes of its own: whatever happens, they end with the command.
exec unshare --mount --pid --fork --kill-child --mount-proc="$PWD/$folder/proc" bash -c '
    folder=$1
    shift
    mount --rbind /sys "$folder/sys"
    mount --rbind /dev "$folder/dev"
    exec chroot "$folder" "$@"' bash "$folder" \
    /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "${network[@]}" \
    /root/isp/dev "$@"
