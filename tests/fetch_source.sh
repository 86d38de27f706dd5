#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Fetch the upstream sources of a Debian source package into FOLDER/source, unmodified: all of them, or only
# the subfolder PART. Does nothing if they are there. Needs no root and leaves the system's apt alone: where
# packages come from is read from /etc/apt, with deb-src for deb, into a private folder. The version is that
# of the installed binary package INSTALLED, if it can be had.
#
# usage: fetch_source.sh PACKAGE FOLDER [INSTALLED [PART]]
set -euo pipefail
package=${1:?usage: fetch_source.sh PACKAGE FOLDER [INSTALLED [PART]]}
folder=${2:?usage: fetch_source.sh PACKAGE FOLDER [INSTALLED [PART]]}
installed=${3:-$package}
part=${4:-}
[ ! -f "$folder/source/.complete" ] || exit 0
mkdir -p "$folder"
folder=$(readlink -f "$folder")

private=$(mktemp -d "$folder/apt.XXXXXX")
trap 'rm -rf "$private"' EXIT
mkdir -p "$private"/{parts,lists/partial,cache/archives/partial,download,unpacked}

# Both formats of apt's sources; only lines that speak of binary packages are changed.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$list" ] || continue
    sed -n 's/^deb[[:space:]]/deb-src /p' "$list" >"$private/parts/$(basename "$list" .list).list"
done
for list in /etc/apt/sources.list.d/*.sources; do
    [ -f "$list" ] || continue
    sed 's/^Types:.*/Types: deb-src/' "$list" >"$private/parts/$(basename "$list")"
done

apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$private/parts"
    -o "Dir::State::lists=$private/lists" -o "Dir::Cache=$private/cache" -o APT::Get::List-Cleanup=0)
[ "$(id -u)" != 0 ] || apt+=(-o APT::Sandbox::User=root) # the download folder is ours, not _apt's

# A third party's list may have no sources: it is enough that one list has the package.
"${apt[@]}" update >&2 || echo "fetch_source.sh: not every list of packages could be read" >&2
version=$(dpkg-query --show --showformat='${source:Version}' "$installed" 2>/dev/null || true)
cd "$private/download"
{ [ -n "$version" ] && "${apt[@]}" source --download-only "$package=$version" >&2; } ||
    "${apt[@]}" source --download-only "$package" >&2
cd /

# apt has compared the checksums with the signed list.
tar -xf "$private/download/${package}"_*.orig.tar.* -C "$private/unpacked" --strip-components=1 \
    ${part:+--wildcards "*/$part/*"}
rm -rf "$folder/source"
mv "$private/unpacked${part:+/$part}" "$folder/source"
touch "$folder/source/.complete"
