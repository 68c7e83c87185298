#!/usr/bin/env bash
# Checks that the crate without features compiles for `wasm32-unknown-unknown`.
#
# Where that target is installed (`rustup target add wasm32-unknown-unknown`), it is used. Else Debian's newest compiler
# with the sources of its standard library is unpacked below the target folder, beside the installed one, which it would
# push out if it were installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
check=(cargo check --quiet -p bevy_dramatis --lib --no-default-features --target wasm32-unknown-unknown)

if [[ -d $(rustc --print target-libdir --target wasm32-unknown-unknown) ]]; then
    exec "${check[@]}"
fi

fail() { echo "web: $*" >&2; exit 1; }
command -v apt-get >/dev/null || fail 'neither the target wasm32-unknown-unknown nor apt-get is here'
target=$(cargo metadata --locked --format-version 1 --no-deps |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
web="$target/web"

needed_by() { # PACKAGE, BEGINNING OF THE NAME
    apt-cache depends "$1" | sed -n "s/^ *Depends: \($2.*\)/\1/p" | head -n 1
}
packages() {
    local library llvm
    library=$(needed_by libstd-rust-web-dev libstd-rust-web-)
    llvm=$(needed_by "$library" libllvm)
    [[ -n $library && -n $llvm ]] || return 1
    echo rustc-web libstd-rust-web-dev rust-web-src "$library" "$llvm"
}

if [[ ! -x $web/root/usr/bin/rustc ]]; then
    rm -rf "$web"
    mkdir -p "$web/packages" "$web/root"
    names=$(packages) || { apt-get update -q >/dev/null; names=$(packages); } || fail 'Debian has no rustc-web here'
    # shellcheck disable=SC2086
    (cd "$web/packages" && apt-get download -q $names >/dev/null 2>"$web/download.log") ||
        fail "the packages $names cannot be had: $(cat "$web/download.log")"
    for package in "$web"/packages/*.deb; do
        dpkg-deb -x "$package" "$web/root"
    done
    # Of the compiler's sources the standard library is enough.
    find "$web/root/usr/src" -mindepth 2 -maxdepth 2 ! -name library -exec rm -r {} +
    rm -r "$web/packages"
fi
cat >"$web/rustc" <<WRAPPER
#!/bin/sh
LD_LIBRARY_PATH='$(echo "$web"/root/usr/lib/*-linux-gnu)' exec '$web/root/usr/bin/rustc' "\$@"
WRAPPER
chmod +x "$web/rustc"
"$web/rustc" --version
# The standard library is compiled along, which needs what is unstable in Cargo.
RUSTC="$web/rustc" RUSTC_BOOTSTRAP=1 "${check[@]}" -Zbuild-std=std,panic_abort
