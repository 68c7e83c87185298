#!/usr/bin/env python3
"""Serve a GGUF with a real llama.cpp HTTP server (OpenAI-compatible) on loopback, for tests.

    pip install xllamacpp==2026.10.11549          # a wheel with llama.cpp's own server inside; no compiler
    python3 serve_llama.py tiny.gguf --address-file tiny.address

Listens on a port of the system's choice unless --port names one. Writes its address, such as
`http://127.0.0.1:40123`, to the address file once it accepts requests, and runs until it is ended.
GET /health says when the model is loaded. One compute thread, no GPU.
"""
import argparse
import os
import signal
import socket
import time

import xllamacpp as xlc


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


ap = argparse.ArgumentParser()
# The names of llama-server's own options are understood too, so that a game can start this program as one.
ap.add_argument("model", nargs="?")
ap.add_argument("--model", dest="named_model", default="")
ap.add_argument("--host", default="127.0.0.1")
ap.add_argument("--alias", default="tiny-npc")
ap.add_argument("--port", type=int, default=0, help="0: a free one")
ap.add_argument("--slots", "--parallel", type=int, default=4, help="requests served at the same time")
ap.add_argument("--ctx", "--ctx-size", type=int, default=16384, help="tokens of context, shared by all slots")
ap.add_argument("--batch", type=int, default=128, help="tokens read between two looks at the connection")
ap.add_argument("--predict", type=int, default=1024, help="most tokens of a reply")
ap.add_argument("--api-key", default=os.environ.get("LLAMA_API_KEY", ""))
ap.add_argument("--address-file", default="")
ap.add_argument("--pid-file", default="")
a = ap.parse_args()
if a.pid_file:
    with open(a.pid_file, "w") as f:
        f.write(str(os.getpid()))

# End like any other program, also when a shell started us in the background.
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
signal.signal(signal.SIGINT, lambda *_: os._exit(0))

p = xlc.CommonParams()
p.model.path = a.named_model or a.model
p.model_alias = {a.alias} if isinstance(p.model_alias, set) else a.alias
p.port = a.port or free_port()
p.hostnames = [a.host] if isinstance(p.hostnames, list) else a.host
p.n_ctx = a.ctx
p.n_parallel = a.slots
p.n_batch = a.batch
p.n_predict = a.predict
p.n_gpu_layers = 0
p.warmup = False
p.endpoint_metrics = True
p.endpoint_slots = True
p.cpuparams.n_threads = 1
p.cpuparams_batch.n_threads = 1
if a.api_key:
    p.api_keys = [a.api_key]
server = xlc.Server(p)
print("LISTEN", server.listening_address, flush=True)
if a.address_file:
    # In one step, so that no reader sees half an address.
    with open(a.address_file + ".part", "w") as f:
        f.write(server.listening_address)
    os.replace(a.address_file + ".part", a.address_file)
while True:
    time.sleep(3600)
