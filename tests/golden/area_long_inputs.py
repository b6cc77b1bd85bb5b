# tests/golden/area_long_inputs.py · 13_long_inputs.safetensors: attention over more positions than a tile has, and its gradients

import math

import torch

from golden_area import Area

LENGTH, D_K, D_V = 260, 8, 12


def attention(area, name, q, k, v, begin, end):
    """Query i sees the keys begin[i] … end[i] - 1, at least one."""
    keys = torch.arange(k.shape[0])
    begin, end = area.put(name + ".begin", begin), area.put(name + ".end", end)
    seen = (keys >= begin[:, None]) & (keys < end[:, None])
    scores = (q @ k.T / math.sqrt(D_K)).masked_fill(~seen, -math.inf)
    result = torch.softmax(scores, dim=-1) @ v
    area.put(name + ".output", result)
    area.put(name + ".log_sums", torch.logsumexp(scores, dim=-1))
    area.gradients(name + ".", result, {"q": q, "k": k, "v": v})


def long_inputs():
    area = Area(13)
    q, k, v = area.draw("q", LENGTH, D_K), area.draw("k", LENGTH, D_K), area.draw("v", LENGTH, D_V)
    ends = torch.arange(1, LENGTH + 1)
    attention(area, "causal", q, k, v, torch.zeros(LENGTH), ends)
    attention(area, "window", q, k, v, (ends - 40).clamp(min=0), ends)
    documents = torch.tensor([0] * 100 + [100] * 60 + [160] * 100)
    attention(area, "documents", q, k, v, documents, ends)
    attention(area, "cross", area.draw("cross.q", 30, D_K), k, v, torch.zeros(30), torch.full((30,), LENGTH))
    return area
