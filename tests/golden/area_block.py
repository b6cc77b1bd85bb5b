# tests/golden/area_block.py · 07_block.safetensors: the Transformer block, by torch.nn.TransformerEncoderLayer and by hand
#
# One set of weights, with the names of TransformerBlock::parameters(), serves all cases. A case CASE. holds output,
# weights and the gradients of x and of every parameter it uses. Modules are in training mode with dropout 0: in
# evaluation mode PyTorch would take its fused path. Dropout masks are ours (area_residual.py).

import math

import torch
import torch.nn.functional as F
from torch.nn.utils.stateless import functional_call

from area_residual import dropped, masks
from golden_area import Area

BATCH, SEQ, D_MODEL, HEADS, D_FF = 3, 5, 8, 2, 12  # no two axes of one size: d_k is 4


def draw_linear(area, name, d_in, d_out, bias=True):
    bound = 1 / math.sqrt(d_in)
    drawn = {name + ".weight": area.draw(name + ".weight", d_out, d_in, low=-bound, high=bound)}
    if bias:
        drawn[name + ".bias"] = area.draw(name + ".bias", d_out, low=-0.5, high=0.5)
    return drawn


def draw_parameters(area):
    p = {}
    for name in ("w_q", "w_k", "w_v", "w_o"):
        p.update(draw_linear(area, "attention." + name, D_MODEL, D_MODEL))
    p.update(draw_linear(area, "feed_forward.gate", D_MODEL, D_FF, bias=False))
    p.update(draw_linear(area, "feed_forward.up", D_MODEL, D_FF))
    p.update(draw_linear(area, "feed_forward.down", D_FF, D_MODEL))
    for half in ("attention", "feed_forward"):
        p[half + ".norm.gamma"] = area.draw(half + ".norm.gamma", D_MODEL, low=0.5, high=1.5)
        p[half + ".norm.beta"] = area.draw(half + ".norm.beta", D_MODEL, low=-0.5, high=0.5)
    return p


def torch_names(p):
    """Our parameters under the names of torch.nn.TransformerEncoderLayer."""
    named = {"self_attn.in_proj_" + kind: torch.cat([p[f"attention.{w}.{kind}"] for w in ("w_q", "w_k", "w_v")])
             for kind in ("weight", "bias")}
    for kind in ("weight", "bias"):
        named["self_attn.out_proj." + kind] = p["attention.w_o." + kind]
        named["linear1." + kind] = p["feed_forward.up." + kind]
        named["linear2." + kind] = p["feed_forward.down." + kind]
    for ours, theirs in (("attention", "norm1"), ("feed_forward", "norm2")):
        named[theirs + ".weight"], named[theirs + ".bias"] = p[ours + ".norm.gamma"], p[ours + ".norm.beta"]
    return named


def weights_of(p, x, allowed):
    """Of torch.nn.MultiheadAttention, for each head. `allowed` is true where attending is allowed."""
    module = torch.nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True, dtype=torch.float64)
    named = {k.removeprefix("self_attn."): v for k, v in torch_names(p).items() if k.startswith("self_attn.")}
    hidden = None if allowed is None else ~allowed.expand(BATCH, HEADS, SEQ, SEQ).reshape(-1, SEQ, SEQ)
    return functional_call(module, named, (x, x, x),
                           {"attn_mask": hidden, "average_attn_weights": False})[1]


def encoder_layers(area, x, p, padding, causal):
    """All of torch.nn.TransformerEncoderLayer: both places of the norm, ReLU and GELU, every mask."""
    mine = {name: values for name, values in p.items() if "gate" not in name}
    cases = {"none": (None, None), "padding": (padding, None), "causal": (None, causal), "both": (padding, causal)}
    for position in ("pre", "post"):
        for activation in ("relu", "gelu"):
            layer = torch.nn.TransformerEncoderLayer(D_MODEL, HEADS, D_FF, dropout=0.0, activation=activation,
                                                     batch_first=True, norm_first=position == "pre",
                                                     dtype=torch.float64).train()
            for mask, (pad, look) in cases.items():
                y = functional_call(layer, torch_names(p), (x,),
                                    {"src_mask": None if look is None else ~look,
                                     "src_key_padding_mask": None if pad is None else ~pad})
                prefix = f"{position}.{activation}.{mask}."
                area.put(prefix + "output", y)
                area.gradients(prefix, y, {"x": x, **mine})
                allowed = torch.ones(BATCH, 1, SEQ, SEQ, dtype=torch.bool)
                if pad is not None:
                    allowed = allowed & pad[:, None, None, :]
                if look is not None:
                    allowed = allowed & look
                entered = F.layer_norm(x, (D_MODEL,), p["attention.norm.gamma"], p["attention.norm.beta"])
                area.put(prefix + "weights", weights_of(p, entered if position == "pre" else x, allowed))


def rotated(t, layout):
    """Each pair turned by its position's angle, as a product of complex numbers."""
    d_k = t.shape[-1]
    frequencies = 10000.0 ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    angles = torch.outer(torch.arange(t.shape[-2], dtype=torch.float64), frequencies)
    turn = torch.polar(torch.ones_like(angles), angles)
    if layout == "interleaved":
        pairs = torch.complex(t[..., 0::2], t[..., 1::2]) * turn
        return torch.stack([pairs.real, pairs.imag], -1).flatten(-2)
    pairs = torch.complex(t[..., : d_k // 2], t[..., d_k // 2:]) * turn
    return torch.cat([pairs.real, pairs.imag], -1)


def attend(x, p, allowed, layout=None, rate=0.0, draw=None, bias=True):
    """Self-attention, with rotary positions where a layout is given. Returns output and weights."""
    def project(name, t):
        return F.linear(t, p[f"attention.{name}.weight"], p[f"attention.{name}.bias"] if bias else None)

    def split(t):
        return t.reshape(BATCH, SEQ, HEADS, -1).transpose(1, 2)

    q, k, v = (split(project(name, x)) for name in ("w_q", "w_k", "w_v"))
    if layout:
        q, k = rotated(q, layout), rotated(k, layout)
    scores = q @ k.transpose(-2, -1) / math.sqrt(D_MODEL // HEADS)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = dropped(torch.softmax(scores, -1), rate, draw)
    return project("w_o", (weights @ v).transpose(1, 2).reshape(x.shape)), weights


def rotary_attention(area, x, p, padding, causal):
    mine = {name: values for name, values in p.items() if name.startswith("attention.w")}
    for prefix, layout, allowed, draw in (("rotary.half_split.", "half_split", None, None),
                                          ("rotary.interleaved.", "interleaved", None, None),
                                          ("rotary.masked.", "half_split", causal & padding[:, None, None, :], None),
                                          ("rotary.dropped.", "half_split", causal, masks(71, 0.25))):
        y, weights = attend(x, p, allowed, layout, 0.25, draw)
        area.put(prefix + "output", y)
        area.put(prefix + "weights", weights)
        area.gradients(prefix, y, {"x": x, **mine})


def dropout_blocks(area, x, p, causal):
    """The block in training: dropout on the weights, on what attention adds, on the hidden layer, on what the network adds."""
    rate = 0.25
    mine = {name: values for name, values in p.items() if "gate" not in name}
    for position, seed in (("pre", 72), ("post", 73)):
        draw = masks(seed, rate)

        def norm(half, t):
            return F.layer_norm(t, (D_MODEL,), p[half + ".norm.gamma"], p[half + ".norm.beta"])

        def add(half, t, sublayer):
            if position == "pre":
                return t + dropped(sublayer(norm(half, t)), rate, draw)
            return norm(half, t + dropped(sublayer(t), rate, draw))

        def network(t):
            hidden = F.gelu(F.linear(t, p["feed_forward.up.weight"], p["feed_forward.up.bias"]))
            return F.linear(dropped(hidden, rate, draw), p["feed_forward.down.weight"], p["feed_forward.down.bias"])

        attended = add("attention", x, lambda t: attend(t, p, causal, None, rate, draw)[0])
        y = add("feed_forward", attended, network)
        area.put(f"{position}.dropped.output", y)
        area.gradients(f"{position}.dropped.", y, {"x": x, **mine})


def rms_norm(t, gamma):
    return gamma * t / torch.sqrt((t * t).mean(-1, keepdim=True) + 1e-6)


def llama_block(area, x, p, causal):
    """RMSNorm, SwiGLU, rotary positions in half split, no bias anywhere."""
    mine = {name: values for name, values in p.items() if not name.endswith((".bias", ".beta"))}
    y, weights = attend(rms_norm(x, p["attention.norm.gamma"]), p, causal, "half_split", bias=False)
    attended = x + y
    t = rms_norm(attended, p["feed_forward.norm.gamma"])
    hidden = F.silu(F.linear(t, p["feed_forward.gate.weight"])) * F.linear(t, p["feed_forward.up.weight"])
    y = attended + F.linear(hidden, p["feed_forward.down.weight"])
    area.put("llama.output", y)
    area.put("llama.weights", weights)
    area.gradients("llama.", y, {"x": x, **mine})


def halves(area, x, p, causal):
    """Each half of torch.nn.TransformerEncoderLayer by itself, both places of the norm."""
    for position in ("pre", "post"):
        layer = torch.nn.TransformerEncoderLayer(D_MODEL, HEADS, D_FF, dropout=0.0, activation="gelu",
                                                 batch_first=True, norm_first=position == "pre",
                                                 dtype=torch.float64).train()
        layer.load_state_dict(torch_names(p))
        leaf = x.detach().requires_grad_()
        for half, block in (("attention", lambda t: layer._sa_block(t, ~causal[0, 0], None)),
                            ("feed_forward", layer._ff_block)):
            norm = layer.norm1 if half == "attention" else layer.norm2
            y = leaf + block(norm(leaf)) if position == "pre" else norm(leaf + block(leaf))
            prefix = f"{half}.{position}."
            area.put(prefix + "output", y)
            area.gradients(prefix, y, {"x": leaf})


def block():
    area = Area(seed=207)
    p = draw_parameters(area)
    x = area.draw("x", BATCH, SEQ, D_MODEL)
    padding = torch.tensor([[True] * (SEQ - hidden) + [False] * hidden for hidden in (0, 2, 1)])
    causal = torch.ones(SEQ, SEQ, dtype=torch.bool).tril()
    encoder_layers(area, x, p, padding, causal)
    rotary_attention(area, x, p, padding, causal[None, None])
    dropout_blocks(area, x, p, causal[None, None])
    llama_block(area, x, p, causal[None, None])
    halves(area, x, p, causal[None, None])
    return area
