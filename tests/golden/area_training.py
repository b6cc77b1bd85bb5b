# tests/golden/area_training.py · 10_training.safetensors: the loss, batches, evaluation
#
# The random orders are not PyTorch's: they come from an independent implementation of our generator (area_common.py).

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

from area_common import mersenne_twister_64
from golden_area import Area

IGNORED = -100


def loss_of(logits, targets, smoothing=0.0):
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), label_smoothing=smoothing)


def training_loss(area):
    logits = area.draw("loss.logits", 3, 4, 5, low=-3, high=3)
    whole = area.put("loss.targets", [[1, 0, 4, 2], [3, 3, 0, 1], [2, 4, 1, 0]]).long()
    # As many are ignored that rows and columns differ in how many are asked for, and none of them is without.
    gaps = area.put("loss.targets_with_gaps", [[1, 0, 4, 2], [3, IGNORED, 0, IGNORED],
                                               [IGNORED, IGNORED, IGNORED, 0]]).long()
    for name, targets, smoothing in (("plain", whole, 0), ("gaps", gaps, 0), ("smoothed", whole, 0.1),
                                     ("smoothed_gaps", gaps, 0.3)):
        loss = loss_of(logits, targets, smoothing)
        area.put(f"loss.{name}.output", loss)
        area.gradients(f"loss.{name}.", loss, {"logits": logits})


def training_batches(area):
    rows = [[4, 9], [7, 1, 8, 2, 6], [3, 5, 9]]
    for name, value in (("inputs", 7), ("targets", IGNORED)):
        shift = 0 if name == "inputs" else 10
        area.put(f"batch.{name}", pad_sequence([torch.tensor(row) + shift for row in rows], True, value))


def training_orders(area):
    """Two shuffles of 10 numbers, one after the other, by each of three generators."""
    for seed in (3, 4, 5):
        draws = mersenne_twister_64(seed)
        for name in ("first", "second"):
            order = list(range(10))
            for i in range(9, 0, -1):
                j = math.floor((next(draws) >> 11) * 2.0**-53 * (i + 1))
                order[i], order[j] = order[j], order[i]
            assert sorted(order) == list(range(10))
            area.put(f"order.{seed}.{name}", order)


def training_evaluation(area):
    """A model that is a table: the logits of a position are the row of its id. Three batches of different sizes."""
    table = area.random.standard_normal((6, 6)) * 2
    table[0, 0] += 5  # one token that the model says again, so that answers are not all unlike the inputs
    table = area.put("table", table)
    answers = table.argmax(-1).numpy()
    logits, asked = [], []
    for name, shape, right, left_out in (("a", (3, 5), 0.4, 0.1), ("b", (2, 3), 0.7, 0.5), ("c", (4, 2), 0.2, 0.2)):
        inputs = area.random.randint(0, 6, shape)
        targets = np.where(area.random.random_sample(shape) < right, answers[inputs],
                           area.random.randint(0, 6, shape))
        targets[area.random.random_sample(shape) < left_out] = IGNORED
        ids = area.put(f"{name}.inputs", inputs).long()
        logits.append(F.embedding(ids, table).reshape(-1, 6))
        asked.append(area.put(f"{name}.targets", targets).long().reshape(-1))
    logits, asked = torch.cat(logits), torch.cat(asked)
    right, count = (logits.argmax(-1) == asked).sum(), (asked != IGNORED).sum()
    area.put("evaluation", np.array([loss_of(logits, asked), right / count, count]))


def training():
    area = Area(seed=110)
    for part in (training_loss, training_batches, training_orders, training_evaluation):
        part(area)
    return area
