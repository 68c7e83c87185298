#!/usr/bin/env bash
# Installs the named Debian packages, as far as they are missing.
set -euo pipefail
missing=()
for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
((${#missing[@]})) || exit 0
export DEBIAN_FRONTEND=noninteractive
sudo=''
[[ $(id -u) -eq 0 ]] || sudo=sudo
$sudo apt-get update -q >/dev/null
$sudo apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
