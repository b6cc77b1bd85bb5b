# tests/golden/area_residual.py · 06_residual_dropout.safetensors: dropout, residuals with both norms, attention with dropout
#
# Masks are not PyTorch's: they come from an independent implementation of our generator (area_common.py), so that the
# tests prove at once that the C++ draws the documented numbers. x.p is the probability to drop.

import math

import numpy as np
import torch
import torch.nn.functional as F

from area_common import coins, mersenne_twister_64
from golden_area import Area


def masks(seed, p):
    """A function shape -> mask, as Rng(seed) draws them one after the other: 1 where an entry is kept."""
    keys = mersenne_twister_64(seed)

    def draw(shape):
        kept = coins(next(keys), math.prod(shape), 1 - p)
        return torch.tensor(np.reshape(kept, tuple(shape)), dtype=torch.float64)

    return draw


def dropped(x, p, draw):
    return x if draw is None else x * draw(x.shape) / (1 - p)


def residual_dropout(area):
    x = area.draw("dropout.x", 2, 4, 6)
    for name, p, seed in (("tenth", 0.1, 11), ("third", 0.3, 12), ("most", 0.9, 13)):
        draw = masks(seed, p)
        y = dropped(x, p, draw)
        area.put(f"dropout.{name}.output", y)
        area.gradients(f"dropout.{name}.", y, {"x": x})
        area.put(f"dropout.{name}.second_output", dropped(x, p, draw))  # the next mask of the same generator


def draw_linear(area, name, d_in, d_out):
    bound = 1 / math.sqrt(d_in)
    return {name + ".weight": area.draw(name + ".weight", d_out, d_in, low=-bound, high=bound),
            name + ".bias": area.draw(name + ".bias", d_out, low=-0.5, high=0.5)}


def residual_wrappers(area):
    """A sublayer w2(tanh(w1(x))), a LayerNorm, and the three ways to add it."""
    p = {**draw_linear(area, "w1", 6, 10), **draw_linear(area, "w2", 10, 6)}
    gamma, beta = area.draw("gamma", 6, low=0.5, high=1.5), area.draw("beta", 6)
    x = area.draw("x", 2, 4, 6)

    def sublayer(t):
        return F.linear(torch.tanh(F.linear(t, p["w1.weight"], p["w1.bias"])), p["w2.weight"], p["w2.bias"])

    def norm(t):
        return F.layer_norm(t, (6,), gamma, beta, eps=1e-5)

    forms = {"residual": lambda d: x + d(sublayer(x)), "pre": lambda d: x + d(sublayer(norm(x))),
             "post": lambda d: norm(x + d(sublayer(x)))}
    for form, compute in forms.items():
        inputs = {"x": x, **p} if form == "residual" else {"x": x, "gamma": gamma, "beta": beta, **p}
        for mode in ("evaluation", "training"):
            draw = masks(21, 0.25) if mode == "training" else None
            y = compute(lambda t: dropped(t, 0.25, draw))
            area.put(f"{form}.{mode}.output", y)
            area.gradients(f"{form}.{mode}.", y, inputs)


def residual_attention(area):
    d_model, heads, rate = 12, 3, 0.25
    p = {}
    for name in ("w_q", "w_k", "w_v", "w_o"):
        p.update(draw_linear(area, name, d_model, d_model))
    query, key = area.draw("mha.query", 2, 7, d_model), area.draw("mha.key", 2, 5, d_model)
    value = area.draw("mha.value", 2, 5, d_model)
    allowed = area.draw_mask("mha.mask", 2, 1, 7, 5)

    def split(t):
        return t.reshape(t.shape[0], t.shape[1], heads, -1).transpose(1, 2)

    def run(mask, draw):
        q, k, v = (split(F.linear(t, p[n + ".weight"], p[n + ".bias"]))
                   for n, t in (("w_q", query), ("w_k", key), ("w_v", value)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(d_model // heads)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = dropped(torch.softmax(scores, -1), rate, draw)
        joined = (weights @ v).transpose(1, 2).reshape(query.shape)
        return F.linear(joined, p["w_o.weight"], p["w_o.bias"]), weights

    for prefix, mask, seed in (("mha.", None, 31), ("mha.masked.", allowed, 32), ("mha.evaluation.", None, None)):
        output, weights = run(mask, masks(seed, rate) if seed else None)
        area.put(prefix + "output", output)
        area.put(prefix + "weights", weights)
        area.gradients(prefix, output, {"query": query, "key": key, "value": value, **p})


def residual():
    area = Area(seed=106)
    for part in (residual_dropout, residual_wrappers, residual_attention):
        part(area)
    return area
