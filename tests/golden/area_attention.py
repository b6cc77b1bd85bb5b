# tests/golden/area_attention.py · 01_attention.safetensors: softmax, attention with one head and with several

import math

import numpy as np
import torch
import torch.nn.functional as F

from golden_area import Area


def attention_softmax(area):
    def case(prefix, x, dim):
        y = torch.softmax(x, dim)
        area.put(prefix + "output", y)
        area.gradients(prefix, y, {"x": x})

    x = area.draw("softmax.x", 2, 3, 5)
    case("softmax.last.", x, -1)
    case("softmax.axis1.", x, 1)
    extreme = area.random.standard_normal((3, 4))
    extreme[0] = [1e4, 1e4 - 1, 0, -1e4]
    extreme[1, 2] = -math.inf
    x = area.put("softmax.extreme.x", extreme).requires_grad_()
    case("softmax.extreme.", x, -1)
    case("softmax.extreme_axis0.", x, 0)


def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, -1)
    return weights @ v, weights


def attention_sdpa(area):
    q, k = area.draw("sdpa.q", 2, 3, 4, 8), area.draw("sdpa.k", 2, 3, 5, 8)
    v = area.draw("sdpa.v", 2, 3, 5, 6)
    mask = area.draw_mask("sdpa.mask", 2, 1, 4, 5)
    for prefix, allowed in (("sdpa.", None), ("sdpa.masked.", mask)):
        output, weights = attend(q, k, v, allowed)
        area.put(prefix + "output", output)
        area.put(prefix + "weights", weights)
        area.gradients(prefix, output, {"q": q, "k": k, "v": v})


def attention_bias(area):
    """A bias (heads, query, key) on the scores, by torch.nn.functional.scaled_dot_product_attention's rule."""
    q, k = area.draw("bias.q", 2, 3, 4, 8), area.draw("bias.k", 2, 3, 5, 8)
    v, bias = area.draw("bias.v", 2, 3, 5, 6), area.draw("bias.bias", 3, 4, 5)
    mask = area.draw_mask("bias.mask", 2, 1, 4, 5)
    for prefix, allowed in (("bias.", None), ("bias.masked.", mask)):
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) + bias
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.softmax(scores, -1)
        output = weights @ v
        area.put(prefix + "output", output)
        area.put(prefix + "weights", weights)
        area.gradients(prefix, output, {"q": q, "k": k, "v": v, "bias": bias})


def draw_linear(area, module, name, d_in, d_out):
    bound = 1 / math.sqrt(d_in)
    weight = area.draw(f"{module}.{name}.weight", d_out, d_in, low=-bound, high=bound)
    bias = area.draw(f"{module}.{name}.bias", d_out, low=-0.5, high=0.5)
    return {name + ".weight": weight, name + ".bias": bias}


def attention_one_head(area):
    p = {}
    for name, d_out in (("w_q", 8), ("w_k", 8), ("w_v", 6)):
        p.update(draw_linear(area, "self_attention", name, 12, d_out))
    x = area.draw("self_attention.x", 2, 5, 12)
    mask = area.draw_mask("self_attention.mask", 2, 5, 5)
    for prefix, allowed in (("self_attention.", None), ("self_attention.masked.", mask)):
        q, k, v = (F.linear(x, p[name + ".weight"], p[name + ".bias"]) for name in ("w_q", "w_k", "w_v"))
        output, weights = attend(q, k, v, allowed)
        area.put(prefix + "output", output)
        area.put(prefix + "weights", weights)
        area.gradients(prefix, output, {"x": x, **p})


def attention_heads(area):
    batch, seq, heads, d = 2, 5, 3, 4
    x = area.put("heads.x", np.arange(batch * seq * heads * d).reshape(batch, seq, heads * d))
    split = x.view(batch, seq, heads, d).transpose(1, 2)
    area.put("heads.split", split)
    area.put("heads.merged", split.transpose(1, 2).reshape(batch, seq, heads * d))
    source = x.clone().requires_grad_()
    area.gradients("heads.split.", source.view(batch, seq, heads, d).transpose(1, 2), {"x": source})
    source = split.clone().requires_grad_()
    area.gradients("heads.merge.", source.transpose(1, 2).reshape(x.shape), {"x": source})


def attention_mha(area):
    d_model, heads = 12, 3
    p = {}
    for name in ("w_q", "w_k", "w_v", "w_o"):
        p.update(draw_linear(area, "mha", name, d_model, d_model))
    module = torch.nn.MultiheadAttention(d_model, heads, batch_first=True).double()
    # Leaves of our own, joined where torch keeps q, k and v in one matrix: so each gets its own gradient.
    in_weight, in_bias = (torch.cat([p[f"{name}.{kind}"] for name in ("w_q", "w_k", "w_v")])
                          for kind in ("weight", "bias"))

    def run(query, key, value, mask):
        forbidden = None
        if mask is not None:  # torch: true = may NOT attend, (batch * heads, query, key)
            shape = (query.shape[0], heads, query.shape[1], key.shape[1])
            forbidden = (~mask).expand(shape).reshape(-1, *shape[2:])
        output, weights = F.multi_head_attention_forward(
            query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1), d_model, heads, in_weight,
            in_bias, None, None, False, 0.0, p["w_o.weight"], p["w_o.bias"], need_weights=True,
            attn_mask=forbidden, average_attn_weights=False)
        with torch.no_grad():  # the module itself must say the same
            module.load_state_dict({"in_proj_weight": in_weight, "in_proj_bias": in_bias,
                                    "out_proj.weight": p["w_o.weight"], "out_proj.bias": p["w_o.bias"]})
            same, same_weights = module(query, key, value, attn_mask=forbidden, need_weights=True,
                                        average_attn_weights=False)
        output = output.transpose(0, 1)
        assert torch.allclose(output, same, rtol=1e-12) and torch.allclose(weights, same_weights, rtol=1e-12)
        return output, weights

    def case(prefix, inputs, query, key, value, mask):
        for middle, allowed in (("", None), ("masked.", mask)):
            output, weights = run(query, key, value, allowed)
            area.put(prefix + middle + "output", output)
            area.put(prefix + middle + "weights", weights)
            area.gradients(prefix + middle, output, {**inputs, **p})

    x = area.draw("mha.self.x", 2, 5, d_model)
    case("mha.self.", {"x": x}, x, x, x, area.draw_mask("mha.self.mask", 2, 1, 5, 5))
    query, memory = area.draw("mha.cross.query", 2, 4, d_model), area.draw("mha.cross.key", 2, 6, d_model)
    case("mha.cross.", {"query": query, "key": memory}, query, memory, memory,
         area.draw_mask("mha.cross.mask", 2, 1, 1, 6))
    query, key = area.draw("mha.apart.query", 2, 4, d_model), area.draw("mha.apart.key", 2, 6, d_model)
    value = area.draw("mha.apart.value", 2, 6, d_model)
    case("mha.apart.", {"query": query, "key": key, "value": value}, query, key, value,
         area.draw_mask("mha.apart.mask", 2, 3, 4, 6))


def attention():
    area = Area(seed=101)
    for part in (attention_softmax, attention_sdpa, attention_one_head, attention_heads, attention_mha,
                 attention_bias):
        part(area)
    return area
