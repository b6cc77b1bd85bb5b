# tests/golden/area_optimizer.py · 10_optimizer.safetensors: AdamW, clipping, learning rates, and steps of training
#
# torch.optim.AdamW counts the steps of each parameter by itself; ours counts its own, also for a parameter that gets no
# gradient in some of them. So such a step is added to PyTorch's count by hand. All else is PyTorch's.

import torch
import torch.nn.functional as F

from golden_area import Area

RATES = (0.05, 0.1, 0.2, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.02)
WITHOUT_GRADIENT = {"table": (3, 4, 8)}  # counted from 1


def groups(parameters, no_decay, weight_decay):
    return [{"params": [p for name, p in parameters.items() if name not in no_decay], "weight_decay": weight_decay},
            {"params": [p for name, p in parameters.items() if name in no_decay], "weight_decay": 0.0}]


def adamw(area):
    # The first is the largest: a state that all share lies in it. Two decay; table gets no gradient in some steps.
    shapes = {"weight": (3, 4), "bias": (4,), "table": (4, 2), "positions": (2, 3), "gamma": (3,)}
    parameters = {name: area.draw(f"adamw.begin.{name}", *shape) for name, shape in shapes.items()}
    gradients = {name: area.draw(f"adamw.grad.{name}", len(RATES), *shape).detach() for name, shape in shapes.items()}
    optimizer = torch.optim.AdamW(groups(parameters, ("bias", "positions", "gamma"), 0.2), betas=(0.8, 0.95), eps=1e-2)
    area.put("adamw.rates", RATES)
    after = {name: [] for name in shapes}
    for t, rate in enumerate(RATES, start=1):
        for name, p in parameters.items():
            absent = t in WITHOUT_GRADIENT.get(name, ())
            p.grad = None if absent else gradients[name][t - 1].clone()
            if absent:
                optimizer.state[p]["step"] += 1
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        for name, p in parameters.items():
            after[name].append(p.detach().clone())
    for name, p in parameters.items():
        area.put(f"adamw.after.{name}", torch.stack(after[name]))
        area.put(f"adamw.m.{name}", optimizer.state[p]["exp_avg"])
        area.put(f"adamw.v.{name}", optimizer.state[p]["exp_avg_sq"])


def clipping(area):
    """Of three gradients together, with one limit below their length and one above it. A fourth parameter has none."""
    shapes = {"weight": (3, 4), "bias": (4,), "kernel": (2, 2, 2)}
    gradients = {name: area.draw(f"clip.grad.{name}", *shape).detach() for name, shape in shapes.items()}
    for case, limit in (("long", 1.5), ("short", 50.0)):
        parameters = {name: torch.zeros_like(g) for name, g in gradients.items()}
        for name, p in parameters.items():
            p.grad = gradients[name].clone()
        lonely = torch.zeros(2, dtype=torch.float64)
        area.put(f"clip.{case}.norm", torch.nn.utils.clip_grad_norm_([*parameters.values(), lonely], limit))
        for name, p in parameters.items():
            area.put(f"clip.{case}.{name}", p.grad)


def rates_of(make_schedule, peak, count):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=peak)
    schedule, rates = make_schedule(optimizer), []
    for _ in range(count):
        rates.append(schedule.get_last_lr()[0])
        optimizer.step()
        schedule.step()
    return rates


def schedules(area):
    """The rates at step 1, 2, 3 …"""
    for name, peak, final, warmup, total in (("plain", 0.8, 0.0, 4, 16), ("with_final", 0.8, 0.1, 5, 20),
                                             ("without_warmup", 0.6, 0.2, 0, 10)):
        rising = rates_of(lambda o: torch.optim.lr_scheduler.LinearLR(o, 1 / warmup, 1, warmup - 1), peak,
                          warmup) if warmup else []
        falling = rates_of(lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, total - warmup, final), peak,
                           total - warmup + 1)  # begins at the peak, which is step `warmup`
        area.put(f"cosine.{name}", rising + falling[1:] + [final] * 5)


def training(area):
    """Four steps of a small model, embedding · tanh · linear, with smoothing, clipping and decay."""
    vocab, width = 7, 4
    parameters = {"embedding.weight": area.draw("training.begin.embedding.weight", vocab, width, low=-2, high=2),
                  "output.weight": area.draw("training.begin.output.weight", vocab, width, low=-3, high=3),
                  "output.bias": area.draw("training.begin.output.bias", vocab)}
    inputs = torch.tensor([[1, 2, 3, 4, 5], [6, 5, 3, 0, 0]])
    targets = torch.tensor([[2, 3, 4, 5, 6], [5, 3, 1, -100, -100]])
    area.put("training.inputs", inputs)
    area.put("training.targets", targets)
    optimizer = torch.optim.AdamW(groups(parameters, ("output.bias",), 0.2), betas=(0.8, 0.95), eps=1e-2)
    rates, losses, norms = (0.05, 0.2, 0.1, 0.3), [], []
    area.put("training.rates", rates)
    after = {name: [] for name in parameters}
    for rate in rates:
        optimizer.zero_grad()
        logits = F.linear(torch.tanh(F.embedding(inputs, parameters["embedding.weight"])), parameters["output.weight"],
                          parameters["output.bias"])
        loss = F.cross_entropy(logits.reshape(-1, vocab), targets.reshape(-1), label_smoothing=0.1)
        loss.backward()
        norms.append(torch.nn.utils.clip_grad_norm_(list(parameters.values()), 0.25))
        losses.append(loss.item())
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        for name, p in parameters.items():
            after[name].append(p.detach().clone())
    area.put("training.losses", losses)
    area.put("training.norms", norms)
    for name in parameters:
        area.put(f"training.after.{name}", torch.stack(after[name]))


def optimizer():
    area = Area(seed=110)
    for part in (adamw, clipping, schedules, training):
        part(area)
    return area
