# tests/golden/area_feed_forward.py · 05_feed_forward.safetensors: activations, FFN and SwiGLU

import math

import numpy as np
import torch
import torch.nn.functional as F

from golden_area import Area

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
               "gelu_sigmoid": lambda x: x * torch.sigmoid(1.702 * x), "silu": F.silu}


def feed_forward_activations(area):
    # A grid through the curved part and both tails, and a few ordinary values. No zero: relu has no derivative there.
    grid = np.concatenate([np.arange(-9.875, 10, 0.25), [-30, 30, -1e-3, 1e-3, -100, 100]])
    x = area.put("activation.x", np.concatenate([grid, area.random.standard_normal(10)]).reshape(4, -1))
    x = x.requires_grad_()
    weights = area.put("activation.grad_weights", area.random.uniform(-1, 1, x.shape))
    for name, function in ACTIVATIONS.items():
        y = function(x)
        area.put(f"activation.{name}.output", y)
        area.put(f"activation.{name}.grad_x", torch.autograd.grad((y * weights).sum(), x)[0])


def draw_linear(area, module, name, d_in, d_out, bias=True):
    bound = 1 / math.sqrt(d_in)
    made = {name + ".weight": area.draw(f"{module}.{name}.weight", d_out, d_in, low=-2 * bound, high=2 * bound)}
    if bias:
        made[name + ".bias"] = area.draw(f"{module}.{name}.bias", d_out, low=-0.5, high=0.5)
    return made


def load(module, parameters):
    module = module.double()
    module.load_state_dict(parameters)
    return module


class FeedForward(torch.nn.Module):
    def __init__(self, d_model, d_ff, activation):
        super().__init__()
        self.up, self.down = torch.nn.Linear(d_model, d_ff), torch.nn.Linear(d_ff, d_model)
        self.activation = activation

    def forward(self, x):
        hidden = self.activation(self.up(x))
        return hidden, self.down(hidden)


class SwiGLU(torch.nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.gate, self.up = (torch.nn.Linear(d_model, d_ff, bias=False) for _ in range(2))
        self.down = torch.nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        hidden = F.silu(self.gate(x)) * self.up(x)
        return hidden, self.down(hidden)


def store(area, prefix, module, x, weights=None):
    """Hidden layer, output, and the gradients of x and of every parameter, of one run of the module."""
    hidden, output = module(x)
    area.put(prefix + "hidden", hidden)
    area.put(prefix + "output", output)
    inputs = {"x": x, **dict(module.named_parameters())}
    if weights is None:
        return area.gradients(prefix, output, inputs)
    found = torch.autograd.grad((output * weights).sum(), list(inputs.values()))
    for name, gradient in zip(inputs, found):
        area.put(f"{prefix}grad_{name}", gradient)


def feed_forward_network(area):
    p = {**draw_linear(area, "ffn", "up", 6, 10), **draw_linear(area, "ffn", "down", 10, 6)}
    x = area.draw("ffn.x", 2, 3, 6)
    weights = area.put("ffn.grad_weights", area.random.uniform(-1, 1, x.shape))
    for name, function in ACTIVATIONS.items():
        store(area, f"ffn.{name}.", load(FeedForward(6, 10, function), p), x, weights)


def feed_forward_swiglu(area):
    p = {}
    for name, d_in, d_out in (("gate", 6, 9), ("up", 6, 9), ("down", 9, 6)):
        p.update(draw_linear(area, "swiglu", name, d_in, d_out, bias=False))
    store(area, "swiglu.", load(SwiGLU(6, 9), p), area.draw("swiglu.x", 2, 3, 6))


def feed_forward():
    area = Area(seed=105)
    for part in (feed_forward_activations, feed_forward_network, feed_forward_swiglu):
        part(area)
    return area
