# tests/golden/area_transformer.py · 09_transformer.safetensors: four small models, their logits and all gradients
#
# gpt2 (pre-norm, tanh GELU, learned positions, tied), bert (post-norm, segments, norm of the embedding, pooler, padding) and
# original (sinusoids, scale, tied, both halves, padding) are made of torch.nn's own layers; llama (RMSNorm, SwiGLU, rotary
# half split, untied) is written for the purpose. x.w.NAME is the weight NAME of our model x, x.grad_NAME its gradient.
# All in training mode with dropout 0: in evaluation torch.nn.TransformerEncoder may take another way.

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from golden_area import Area

# No two axes of one tensor have one size: exchanging them would go unseen. Heads, layers and segments are all 2, but meet in
# no tensor.
VOCAB, D_MODEL, HEADS, D_FF, MAX_LEN, LAYERS = 11, 8, 2, 12, 10, 2  # d_k = 4
BATCH = 3
SIZES = {"dropout": 0.0, "batch_first": True, "dtype": torch.float64}


class Weights:
    """Draws the weights of one model and remembers them by our names."""

    def __init__(self, area, model):
        self.area, self.model, self.all = area, model, {}

    def draw(self, name, *shape, around=0.0):
        bound = 1.2 / math.sqrt(shape[-1]) if len(shape) > 1 else 0.3
        values = self.area.random.uniform(around - bound, around + bound, shape)
        self.all[name] = self.area.put(f"{self.model}.w.{name}", values).requires_grad_()
        return self.all[name]

    def linear(self, name, d_in, d_out, bias=True):
        weight = self.draw(name + ".weight", d_out, d_in)
        return weight, self.draw(name + ".bias", d_out) if bias else None

    def norm(self, name):
        return self.draw(name + ".gamma", D_MODEL, around=1.0), self.draw(name + ".beta", D_MODEL)

    def attention(self, name):
        """As in_proj_weight, in_proj_bias, out_proj.weight, out_proj.bias of nn.MultiheadAttention."""
        parts = [self.linear(f"{name}.{part}", D_MODEL, D_MODEL) for part in ("w_q", "w_k", "w_v", "w_o")]
        return (torch.cat([w for w, _ in parts[:3]]), torch.cat([b for _, b in parts[:3]]), *parts[3])

    def feed_forward(self, name):
        return *self.linear(name + ".up", D_MODEL, D_FF), *self.linear(name + ".down", D_FF, D_MODEL)


ATTENTION = ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias")
FEED_FORWARD = ("linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias")


def named(prefix, names, tensors):
    return {prefix + name: tensor for name, tensor in zip(names, tensors)}


def block_weights(w, name, halves):
    """The state of one layer of torch.nn; `halves`: (our name, theirs, their norm), in order."""
    state = {}
    for ours, theirs, norm in halves:
        if theirs == "":
            state.update(named("", FEED_FORWARD, w.feed_forward(f"{name}.{ours}")))
        else:
            state.update(named(theirs + ".", ATTENTION, w.attention(f"{name}.{ours}")))
        state.update(named(norm + ".", ("weight", "bias"), w.norm(f"{name}.{ours}.norm")))
    return state


ENCODER = [("attention", "self_attn", "norm1"), ("feed_forward", "", "norm2")]
DECODER = [("self_attention", "self_attn", "norm1"), ("cross", "multihead_attn", "norm2"), ("feed_forward", "", "norm3")]


def call(module, state, *inputs, **settings):
    return torch.nn.utils.stateless.functional_call(module, state, inputs, settings)


def draw_ids(area, seq, low=1):
    return area.random.randint(low, VOCAB, (BATCH, seq))


def put_ids(area, name, ids):
    area.put(name, ids.astype(np.float32))
    return torch.tensor(ids)


def causal(seq):
    return torch.ones(seq, seq).triu(1).bool()  # torch: true = hidden


def gradients(area, w, *results):
    joined = torch.cat([result.flatten() for result in results])
    area.gradients(f"{w.model}.", joined, w.all)


def greedy(step, ids, new_tokens):
    for _ in range(new_tokens):
        best = step(ids)[0, -1].argmax()
        ids = torch.cat([ids, best.reshape(1, 1)], dim=1)
    return ids


def gpt2(area):
    w = Weights(area, "gpt2")
    table, positions = w.draw("embedding.weight", VOCAB, D_MODEL), w.draw("positions.embedding.weight", MAX_LEN, D_MODEL)
    blocks = [block_weights(w, f"blocks.{i}", ENCODER) for i in range(LAYERS)]
    final = w.norm("final_norm")
    layer = nn.TransformerEncoderLayer(D_MODEL, HEADS, D_FF, norm_first=True, **SIZES,
                                       activation=lambda x: F.gelu(x, approximate="tanh"))

    def run(ids):
        x = table[ids] + positions[:ids.shape[1]]
        for state in blocks:
            x = call(layer, state, x, src_mask=causal(ids.shape[1]))
        hidden = F.layer_norm(x, (D_MODEL,), *final)
        return hidden @ table.T, hidden

    logits, hidden = run(put_ids(area, "gpt2.ids", draw_ids(area, 5, low=0)))
    area.put("gpt2.logits", logits)
    area.put("gpt2.hidden", hidden)
    gradients(area, w, logits)
    prompt = put_ids(area, "gpt2.prompt", np.array([[3, 7]]))
    put_ids(area, "gpt2.generated", greedy(lambda ids: run(ids)[0], prompt, 8).numpy())


def bert(area):
    w = Weights(area, "bert")
    table, positions = w.draw("embedding.weight", VOCAB, D_MODEL), w.draw("positions.embedding.weight", MAX_LEN, D_MODEL)
    segments, embedding_norm = w.draw("segments.weight", 2, D_MODEL), w.norm("embedding_norm")
    blocks = [block_weights(w, f"blocks.{i}", ENCODER) for i in range(LAYERS)]
    pooler = w.linear("pooler", D_MODEL, D_MODEL)
    layer = nn.TransformerEncoderLayer(D_MODEL, HEADS, D_FF, activation=F.gelu, **SIZES)
    layer.norm1.eps = layer.norm2.eps = 1e-12

    ids = draw_ids(area, 6)
    ids[1, 4:] = ids[2, 5:] = 0  # padding
    ids = put_ids(area, "bert.ids", ids)
    kinds = put_ids(area, "bert.segment_ids", np.array([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1]]))
    for name, of_tokens in (("", segments[kinds]), ("one_segment.", segments[torch.zeros_like(kinds)])):
        x = F.layer_norm(table[ids] + positions[:6] + of_tokens, (D_MODEL,), *embedding_norm, eps=1e-12)
        area.put(f"bert.{name}embedded", x)
        for state in blocks:
            x = call(layer, state, x, src_key_padding_mask=ids == 0)
        if name == "":
            logits, pooled = x @ table.T, torch.tanh(F.linear(x[:, 0], *pooler))
    area.put("bert.logits", logits)
    area.put("bert.pooled", pooled)
    gradients(area, w, logits, pooled)


def sinusoids():
    angles = torch.arange(MAX_LEN)[:, None] / 10000.0 ** (torch.arange(0, D_MODEL, 2, dtype=torch.float64) / D_MODEL)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(MAX_LEN, D_MODEL)


def original(area):
    w = Weights(area, "original")
    table = w.draw("embedding.weight", VOCAB, D_MODEL)
    state = {}
    for side, halves in (("encoder", ENCODER), ("decoder", DECODER)):
        for i in range(LAYERS):
            layer = block_weights(w, f"{side}.blocks.{i}", halves)
            state.update({f"{side}.layers.{i}.{name}": tensor for name, tensor in layer.items()})
        state.update(named(f"{side}.norm.", ("weight", "bias"), w.norm(f"{side}.final_norm")))
    model = nn.Transformer(D_MODEL, HEADS, LAYERS, LAYERS, D_FF, **SIZES)

    def run(source, target):
        x, y = (table[ids] * math.sqrt(D_MODEL) + sinusoids()[:ids.shape[1]] for ids in (source, target))
        out = call(model, state, x, y, tgt_mask=causal(target.shape[1]), src_key_padding_mask=source == 0,
                   tgt_key_padding_mask=target == 0, memory_key_padding_mask=source == 0)
        return out @ table.T

    source, target = draw_ids(area, 6), draw_ids(area, 5)
    source[0, 4:] = source[2, 5:] = target[1, 3:] = target[2, 4:] = 0  # padding
    source, target = put_ids(area, "original.source", source), put_ids(area, "original.target", target)
    logits = run(source, target)
    area.put("original.logits", logits)
    gradients(area, w, logits)
    start = torch.tensor([[1]])
    put_ids(area, "original.translated", greedy(lambda ids: run(source[:1], ids), start, 8).numpy())


def rms_norm(x, gamma):
    return gamma * x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-6)


def rotate(x):
    """Half split: column i turns with column i + d_k/2."""
    half = x.shape[-1] // 2
    angles = torch.arange(x.shape[-2])[:, None] / 10000.0 ** (torch.arange(half, dtype=torch.float64) / half)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)


def llama(area):
    w = Weights(area, "llama")
    table = w.draw("embedding.weight", VOCAB, D_MODEL)
    blocks = []
    for i in range(LAYERS):
        name = f"blocks.{i}."
        q, k, v, o = (w.linear(f"{name}attention.{part}", D_MODEL, D_MODEL, bias=False)[0]
                      for part in ("w_q", "w_k", "w_v", "w_o"))
        first = w.draw(name + "attention.norm.gamma", D_MODEL, around=1.0)
        gate, up = (w.linear(f"{name}feed_forward.{part}", D_MODEL, D_FF, bias=False)[0] for part in ("gate", "up"))
        down = w.linear(name + "feed_forward.down", D_FF, D_MODEL, bias=False)[0]
        blocks.append((q, k, v, o, first, gate, up, down, w.draw(name + "feed_forward.norm.gamma", D_MODEL, around=1.0)))
    final, head = w.draw("final_norm.gamma", D_MODEL, around=1.0), w.draw("output.weight", VOCAB, D_MODEL)

    ids = put_ids(area, "llama.ids", draw_ids(area, 5, low=0))
    x = table[ids]
    for q, k, v, o, first, gate, up, down, second in blocks:
        h = rms_norm(x, first)
        q, k, v = ((h @ part.T).reshape(BATCH, 5, HEADS, -1).transpose(1, 2) for part in (q, k, v))
        scores = rotate(q) @ rotate(k).transpose(-2, -1) / math.sqrt(D_MODEL // HEADS)
        weights = scores.masked_fill(causal(5), -math.inf).softmax(-1)
        x = x + (weights @ v).transpose(1, 2).reshape(BATCH, 5, D_MODEL) @ o.T
        h = rms_norm(x, second)
        x = x + (F.silu(h @ gate.T) * (h @ up.T)) @ down.T
    logits = rms_norm(x, final) @ head.T
    area.put("llama.logits", logits)
    gradients(area, w, logits)


def transformer():
    area = Area(seed=0)
    # Each model has its own seed: gpt2 and original write tokens that tell right from wrong (greedy_test.cpp).
    for model, seed in ((gpt2, 123), (bert, 124), (original, 606), (llama, 126)):
        area.random = np.random.RandomState(seed)
        model(area)
    return area
