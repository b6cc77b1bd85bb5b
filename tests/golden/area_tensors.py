# tests/golden/area_tensors.py · 00_tensors.safetensors: batched products, standardized rows, a gradient

import torch

from golden_area import Area


def tensors():
    area = Area(seed=99)
    a, b = area.draw("bmm.a", 3, 4, 6), area.draw("bmm.b", 3, 6, 8)
    area.put("bmm.output", torch.bmm(a, b))

    x = area.draw("standardize_rows.x", 2, 3, 4, 5)
    variance, mean = torch.var_mean(x, -1, unbiased=False, keepdim=True)
    area.put("standardize_rows.mean", mean)
    area.put("standardize_rows.variance", variance)
    area.put("standardize_rows.output", torch.nn.functional.layer_norm(x, (5,), eps=1e-2))

    # Within -2 … 2, because the tolerance of the test is worked out for floats of this size.
    x = area.draw("log_sum_exp.x", 3, 4, low=-2, high=2)
    area.put("log_sum_exp.grad_x", torch.autograd.grad(torch.logsumexp(x, -1).sum(), x)[0])
    return area
