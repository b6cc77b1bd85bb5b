# tests/golden/area_normalization.py · 04_normalization.safetensors: LayerNorm, RMSNorm, BatchNorm

import numpy as np
import torch
import torch.nn.functional as F

from golden_area import Area


def put_with_gradients(area, prefix, result, inputs):
    area.put(prefix + "output", result)
    area.gradients(prefix, result, inputs)


def normalization_rows(area):
    gamma, beta = area.draw("gamma", 8, low=0.5, high=1.5), area.draw("beta", 8)
    rows = {"ordinary": 2 * area.random.standard_normal((2, 3, 8)) + 0.5,
            "small": 0.003 * area.random.standard_normal((2, 3, 8))}  # a variance of the size of eps
    for name, values in rows.items():
        x = area.put(f"{name}.x", values).requires_grad_()
        y = F.layer_norm(x, (8,), gamma, beta, eps=1e-5)
        put_with_gradients(area, f"layer_norm.{name}.", y, {"x": x, "gamma": gamma, "beta": beta})
        y = gamma * (x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-5))
        put_with_gradients(area, f"rms_norm.{name}.", y, {"x": x, "gamma": gamma})
    x = area.put("large_mean.x", 1e4 + area.random.standard_normal((3, 64)))
    area.put("layer_norm.large_mean.output", F.layer_norm(x, (64,), eps=1e-5))


def normalization_statistics(area):
    x = area.draw("statistics.x", 3, 4, 5)
    for name, result in {"mean": x.mean((0, 1)), "variance": x.var((0, 1), unbiased=False)}.items():
        put_with_gradients(area, f"statistics.{name}.", result, {"x": x})


def normalization_batches(area):
    """Two batches in training, then one in evaluation: torch.nn.BatchNorm1d, whose features are axis 1."""
    norm = torch.nn.BatchNorm1d(5).double()  # eps 1e-5, momentum 0.1
    with torch.no_grad():
        norm.weight.copy_(area.draw("batch_norm.gamma", 5, low=0.5, high=1.5))
        norm.bias.copy_(area.draw("batch_norm.beta", 5))
    for name in ("first", "second", "evaluation"):
        norm.train(name != "evaluation")
        x = area.put(f"batch_norm.{name}.x", 2 * area.random.standard_normal((3, 4, 5)) + 1).requires_grad_()
        y = norm(x.transpose(1, 2)).transpose(1, 2)
        inputs = {"x": x, "gamma": norm.weight, "beta": norm.bias}
        put_with_gradients(area, f"batch_norm.{name}.", y, inputs)
        area.put(f"batch_norm.{name}.running_mean", norm.running_mean)
        area.put(f"batch_norm.{name}.running_variance", norm.running_var)


def normalization():
    area = Area(seed=104)
    for part in (normalization_rows, normalization_statistics, normalization_batches):
        part(area)
    return area
