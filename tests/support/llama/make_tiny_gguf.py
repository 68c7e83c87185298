#!/usr/bin/env python3
"""Write a tiny llama-architecture GGUF with random weights and a real byte-level BPE tokenizer.

The model is for testing inference backends: a real llama.cpp loads it in milliseconds and generates.
It knows nothing; what it writes is noise. Under a grammar the noise is well formed.

    pip install gguf==0.19.0 numpy
    python3 make_tiny_gguf.py tiny.gguf [--seed 7] [--ctx 4096] [--type f32|f16|q8_0] [--wild]

Same arguments and same gguf/numpy versions give the same bytes (numpy's PCG64 stream is stable).
"""
import argparse
import re

import gguf
import numpy as np

CORPUS = """
Well met, traveller. What brings you to our village? The road north is not safe after dark.
I sell bread, cheese, rope and lanterns. Ten coins for the sword, and not one coin less!
Have you seen my brother? He went to the old mine and he did not come back.
The guard will not let you through the gate. Ask the captain, or bring a letter from the king.
I am busy. Come back tomorrow. Thank you, friend. Goodbye. I do not know. Please follow me.
{"say": "Well met, traveller.", "mood": "happy", "action": "wave", "target": "player", "amount": 3}
{"say": "Go away!", "mood": "angry", "action": "attack", "target": "guard", "amount": 0, "ok": true}
{"intent": "trade", "tool": "give_item", "args": {"item": "bread", "count": 2}, "done": false, "why": null}
""" * 2

SPECIALS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]  # ids 0, 1, 2
CHAT_TEMPLATE = (
    "{%- for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}"
    "{%- endfor %}{%- if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{%- endif %}"
)


def byte_alphabet():
    """GPT-2's printable stand-in for each of the 256 bytes."""
    keep = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    table, n = {}, 0
    for b in range(256):
        if b in keep:
            table[b] = chr(b)
        else:
            table[b] = chr(256 + n)
            n += 1
    return table


def train_bpe(text, n_merges, alphabet):
    # close enough to GPT-2's pre-tokenizer for ASCII text
    pat = re.compile(r"'(?:s|t|re|ve|m|ll|d)| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+")
    words = {}
    for w in pat.findall(text):
        key = tuple(alphabet[b] for b in w.encode())
        words[key] = words.get(key, 0) + 1
    merges = []
    while len(merges) < n_merges:
        pairs = {}
        for w, c in words.items():
            for a, b in zip(w, w[1:]):
                pairs[a, b] = pairs.get((a, b), 0) + c
        if not pairs:
            break
        best = max(pairs, key=lambda p: (pairs[p], p))  # ties broken by text: stable
        merges.append(best)
        new = {}
        for w, c in words.items():
            out, i = [], 0
            while i < len(w):
                if i + 1 < len(w) and (w[i], w[i + 1]) == best:
                    out.append(w[i] + w[i + 1]); i += 2
                else:
                    out.append(w[i]); i += 1
            new[tuple(out)] = new.get(tuple(out), 0) + c
        words = new
    return merges


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--vocab", type=int, default=512)
    ap.add_argument("--layers", type=int, default=2)
    ap.add_argument("--embd", type=int, default=64)
    ap.add_argument("--heads", type=int, default=4)
    ap.add_argument("--kv-heads", type=int, default=2)
    ap.add_argument("--ff", type=int, default=128)
    ap.add_argument("--ctx", type=int, default=4096)
    ap.add_argument("--type", choices=["f32", "f16", "q8_0"], default="f32")
    ap.add_argument("--eog-bias", type=float, default=0.0, help="raise or lower the end token's logit")
    ap.add_argument("--wild", action="store_true",
                    help="also emit raw non-ASCII bytes (tests text split inside a UTF-8 character)")
    a = ap.parse_args()
    rng = np.random.default_rng(a.seed)

    alpha = byte_alphabet()
    merges = train_bpe(CORPUS, a.vocab - 256 - len(SPECIALS), alpha)
    tokens = SPECIALS + [alpha[b] for b in range(256)]
    for x, y in merges:
        if x + y not in tokens:
            tokens.append(x + y)
    while len(tokens) < a.vocab:
        tokens.append(f"<|unused{len(tokens)}|>")
    n_vocab = len(tokens)
    types = [gguf.TokenType.CONTROL if t.startswith("<|") else gguf.TokenType.NORMAL for t in tokens]

    w = gguf.GGUFWriter(a.out, "llama")
    head = a.embd // a.heads
    w.add_name("tiny-random-npc")
    w.add_description("random weights, for tests of inference backends only")
    w.add_context_length(a.ctx)
    w.add_embedding_length(a.embd)
    w.add_block_count(a.layers)
    w.add_feed_forward_length(a.ff)
    w.add_head_count(a.heads)
    w.add_head_count_kv(a.kv_heads)
    w.add_rope_dimension_count(head)
    w.add_rope_freq_base(10000.0)
    w.add_layer_norm_rms_eps(1e-5)
    w.add_vocab_size(n_vocab)
    w.add_file_type({"f32": gguf.LlamaFileType.ALL_F32, "f16": gguf.LlamaFileType.MOSTLY_F16,
                     "q8_0": gguf.LlamaFileType.MOSTLY_Q8_0}[a.type])
    w.add_tokenizer_model("gpt2")
    w.add_tokenizer_pre("gpt-2")
    w.add_token_list(tokens)
    w.add_token_types(types)
    w.add_token_merges([f"{x} {y}" for x, y in merges])
    w.add_bos_token_id(0)
    w.add_eos_token_id(2)
    w.add_pad_token_id(0)
    w.add_add_bos_token(False)
    w.add_chat_template(CHAT_TEMPLATE)

    def put(name, arr):
        arr = np.ascontiguousarray(arr, dtype=np.float32)
        if arr.ndim == 2 and a.type != "f32":
            qt = gguf.GGMLQuantizationType.F16 if a.type == "f16" else gguf.GGMLQuantizationType.Q8_0
            w.add_tensor(name, gguf.quants.quantize(arr, qt), raw_dtype=qt)
        else:
            w.add_tensor(name, arr)

    def rand(rows, cols, scale):
        return rng.standard_normal((rows, cols), dtype=np.float32) * scale

    # Dimension 0 of the residual stream is held constant, so that column 0 of the output matrix
    # is a bias for each token: that keeps control and raw-byte tokens rare.
    emb = rand(n_vocab, a.embd, 1.0)
    emb[:, 0] = 4.0
    put("token_embd.weight", emb)
    for i in range(a.layers):
        p = f"blk.{i}."
        put(p + "attn_norm.weight", np.ones(a.embd))
        put(p + "attn_q.weight", rand(a.heads * head, a.embd, a.embd ** -0.5))
        put(p + "attn_k.weight", rand(a.kv_heads * head, a.embd, a.embd ** -0.5))
        put(p + "attn_v.weight", rand(a.kv_heads * head, a.embd, a.embd ** -0.5))
        o = rand(a.embd, a.heads * head, a.embd ** -0.5); o[0] = 0
        put(p + "attn_output.weight", o)
        put(p + "ffn_norm.weight", np.ones(a.embd))
        put(p + "ffn_gate.weight", rand(a.ff, a.embd, a.embd ** -0.5))
        put(p + "ffn_up.weight", rand(a.ff, a.embd, a.embd ** -0.5))
        d = rand(a.embd, a.ff, a.ff ** -0.5); d[0] = 0
        put(p + "ffn_down.weight", d)
    put("output_norm.weight", np.ones(a.embd))
    out = rand(n_vocab, a.embd, 2.0 * a.embd ** -0.5)
    bias = np.zeros(n_vocab, dtype=np.float32)
    raw = {v: k for k, v in alpha.items()}
    for t, s in enumerate(tokens):
        if s.startswith("<|"):
            bias[t] = a.eog_bias if t == 2 else -12.0
        else:
            bs = [raw[c] for c in s]
            if any(b < 32 or b == 127 or (b > 127 and not a.wild) for b in bs):
                bias[t] = -12.0
    out[:, 0] = bias / 3.0
    put("output.weight", out)

    w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
    print(f"{a.out}: vocab {n_vocab}, merges {len(merges)}, layers {a.layers}, embd {a.embd}, type {a.type}")


if __name__ == "__main__":
    main()
