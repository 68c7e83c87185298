#!/usr/bin/env bash
# Finds a compiler for `wasm32-unknown-unknown` and prints, for `eval`, the variables with which Cargo uses it.
#
# Where that target is installed (`rustup target add wasm32-unknown-unknown`), it is used. Else Debian's newest compiler with the
# sources of its standard library, and the linker that belongs to it, are unpacked below the target folder: installed, they would
# push out the compiler that is there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# The page was last built and played with this one.
wanted=1.96

if [[ -d $(rustc --print target-libdir --target wasm32-unknown-unknown) ]]; then
    echo 'export WEB_STD='
    exit
fi

sudo=''
[[ $(id -u) -eq 0 ]] || sudo=sudo
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
    echo rustc-web libstd-rust-web-dev rust-web-src "$library" "$llvm" "lld-${llvm#libllvm}"
}

# Whether Debian's lists, as this machine has them, name the compiler that the page was built with.
listed() { [[ $(apt-cache policy rustc-web | sed -n 's/^ *Candidate: //p') == "$wanted."* ]]; }

if [[ ! -x $web/root/usr/bin/rustc || ! -x $web/wasm-ld ]]; then
    rm -rf "$web"
    mkdir -p "$web/packages" "$web/root"
    listed || $sudo apt-get update -q >/dev/null
    names=$(packages) || fail 'Debian has no rustc-web here'
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
# The folder may have been moved since.
for program in "$web/root/usr/bin/rustc" "$web"/root/usr/lib/llvm-*/bin/wasm-ld; do
    cat >"$web/${program##*/}" <<WRAPPER
#!/bin/sh
LD_LIBRARY_PATH='$(echo "$web"/root/usr/lib/*-linux-gnu)' exec '$program' "\$@"
WRAPPER
    chmod +x "$web/${program##*/}"
done
version=$("$web/rustc" --version)
[[ $version == "rustc $wanted."* ]] ||
    fail "Debian's compiler for the web is now $version, and the page was last built with $wanted: set \`wanted\` in web/compiler.sh, build, and play it"
echo "web: $version" >&2
# The standard library is compiled along, which needs what is unstable in Cargo.
echo "export RUSTC='$web/rustc' RUSTC_BOOTSTRAP=1 WEB_STD=-Zbuild-std=std,panic_abort"
echo "export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER='$web/wasm-ld'"
