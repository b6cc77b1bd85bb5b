# tests/golden/golden_area.py · the tensors of one golden file, and how it is written

import json
import pathlib
import struct

import numpy as np
import torch

FOLDER = pathlib.Path(__file__).resolve().parent


def save_safetensors(file_name, tensors):
    """8 bytes: length of the header · the header as JSON, padded to 8 bytes · the values, little-endian."""
    header, position = {}, 0
    for name, values in tensors.items():
        end = position + 4 * values.size
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [position, end]}
        position = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(FOLDER / f"{file_name}.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for values in tensors.values():
            file.write(np.ascontiguousarray(values, dtype="<f4").tobytes())


class Area:
    """The tensors of one file, and the random numbers that its inputs come from."""

    def __init__(self, seed):
        self.tensors = {}
        self.random = np.random.RandomState(seed)

    def put(self, name, values):
        assert name not in self.tensors, name
        values = values.detach().numpy() if isinstance(values, torch.Tensor) else np.asarray(values)
        self.tensors[name] = values.astype(np.float32)
        return torch.tensor(self.tensors[name], dtype=torch.float64)  # rounded: what the test will read

    def draw(self, name, *shape, low=None, high=None):
        """A stored random input: normal, or uniform in low … high. It requires a gradient."""
        values = self.random.standard_normal(shape) if low is None else self.random.uniform(low, high, shape)
        return self.put(name, values).requires_grad_()

    def draw_mask(self, name, *shape):
        """A stored boolean mask, true = may attend; every row allows its first key at least."""
        allowed = self.random.random_sample(shape) < 0.6
        allowed[..., 0] |= ~allowed.any(axis=-1)
        return self.put(name, allowed) != 0

    def gradients(self, prefix, result, inputs):
        """Stores the weights of the sum, and the gradient of each input as prefix + grad_ + name."""
        weights = self.put(prefix + "grad_weights", self.random.uniform(-1, 1, result.shape))
        names = list(inputs)
        found = torch.autograd.grad((result * weights).sum(), [inputs[name] for name in names])
        for name, gradient in zip(names, found):
            self.put(prefix + "grad_" + name, gradient)
