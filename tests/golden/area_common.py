# tests/golden/area_common.py · common.safetensors: every operation of the tensor layer, the kernels, the Rng
#
# A case is named operation.case, its inputs are a, b, c. tests/common/operations_test.cpp has the same list.

import math

import numpy as np
import torch
import torch.nn.functional as F

from golden_area import Area

SHAPE_PAIRS = {"same": ((2, 3), (2, 3)), "row": ((2, 3), (3,)), "row_left": ((3,), (2, 3)),
               "column": ((2, 3), (2, 1)), "outer": ((4, 1, 3), (2, 1)), "scalar": ((2, 3), ()),
               "scalar_left": ((), (2, 3)), "scalars": ((), ()), "vectors": ((4,), (4,)),
               "rank4": ((2, 1, 3, 4), (1, 5, 1, 4))}


def case(area, name, function, *inputs):
    """Stores inputs, function(*inputs) and gradients. An input is a shape (normal values) or an array."""
    leaves = {}
    for key, given in zip("abc", inputs):
        values = area.random.standard_normal(given) if isinstance(given, tuple) else given
        leaves[key] = area.put(f"{name}.{key}", values).requires_grad_()
    result = function(*leaves.values())
    area.put(f"{name}.output", result)
    area.gradients(f"{name}.", result, leaves)


def away_from_zero(area, shape):
    return area.random.uniform(0.5, 2, shape) * area.random.choice([-1, 1], shape)


def common_arithmetic(area):
    binary = {"add": torch.add, "subtract": torch.subtract, "multiply": torch.multiply}
    for pair, (a, b) in SHAPE_PAIRS.items():
        for name, function in binary.items():
            case(area, f"{name}.{pair}", function, a, b)
        case(area, f"divide.{pair}", torch.divide, a, away_from_zero(area, b))
    with_number = {"add": lambda x: x + 2.5, "subtract": lambda x: x - 2.5,
                   "subtract_from": lambda x: 2.5 - x, "multiply": lambda x: x * 2.5,
                   "divide": lambda x: x / 2.5, "negate": lambda x: -x}
    for name, function in with_number.items():
        case(area, f"number.{name}", function, (2, 3))
    case(area, "number.divide_by", lambda x: 2.5 / x, away_from_zero(area, (2, 3)))


def common_elementwise(area):
    for rank, shape in {"rank0": (), "rank1": (5,), "rank4": (2, 1, 3, 4)}.items():
        for name in ("exp", "tanh", "sigmoid", "erf"):
            case(area, f"{name}.{rank}", getattr(torch, name), 2 * area.random.standard_normal(shape))
        for name in ("log", "sqrt"):
            case(area, f"{name}.{rank}", getattr(torch, name), area.random.uniform(0.5, 3, shape))


def common_maximum(area):
    for rank, shape in {"rank0": (), "rank1": (5,), "rank4": (2, 1, 3, 4)}.items():
        # Half a unit away from the kink at 0.25, so that finite differences don't straddle it.
        case(area, f"maximum.{rank}", lambda x: torch.clamp(x, min=0.25), 0.25 + away_from_zero(area, shape))


def common_reductions(area):
    for rank, shape in {"rank1": (5,), "rank3": (2, 3, 4), "rank4": (2, 3, 2, 5)}.items():
        for axis in {"rank1": (0,), "rank3": (0, 1, 2, -1, -3), "rank4": (-2, 1)}[rank]:
            for keep in (False, True):
                at = f"{rank}.axis{axis}" + (".keep" if keep else "")
                case(area, f"sum.{at}", lambda x: x.sum(axis, keepdim=keep), shape)
                case(area, f"mean.{at}", lambda x: x.mean(axis, keepdim=keep), shape)
                case(area, f"variance.{at}", lambda x: x.var(axis, unbiased=False, keepdim=keep), shape)
                # Entries 0.1 apart, so that a finite difference does not change which one is the largest.
                distinct = area.random.permutation(math.prod(shape)).reshape(shape) / 10
                case(area, f"max.{at}", lambda x: x.max(axis, keepdim=keep)[0], distinct)
    for rank, shape in {"rank0": (), "rank1": (5,), "rank3": (2, 3, 4)}.items():
        case(area, f"sum_all.{rank}", torch.sum, shape)
        case(area, f"mean_all.{rank}", torch.mean, shape)


def common_shaping(area):
    case(area, "reshape.join", lambda x: x.reshape(6, 4), (2, 3, 4))
    case(area, "reshape.to_scalar", lambda x: x.reshape(()), (1, 1))
    for axes in ((0, 1), (1, 0), (0, 2), (-1, -2), (1, 1)):
        case(area, f"transpose.rank3.{axes[0]}.{axes[1]}", lambda x: x.transpose(*axes), (2, 3, 4))
    for axes in ((1, 2), (0, 3), (-1, 1)):
        case(area, f"transpose.rank4.{axes[0]}.{axes[1]}", lambda x: x.transpose(*axes), (2, 3, 4, 5))
    for axis, (a, b, c) in {0: ((1, 3, 4), (2, 3, 4), (1, 3, 4)), 1: ((2, 1, 4), (2, 2, 4), (2, 3, 4)),
                            -1: ((2, 3, 1), (2, 3, 4), (2, 3, 2))}.items():
        case(area, f"concat.axis{axis}", lambda *x: torch.cat(x, axis), a, b, c)
    case(area, "slice.axis0", lambda x: x[1:3], (4, 2, 3))
    case(area, "slice.axis1", lambda x: x[:, 1:2], (2, 3, 4))
    case(area, "slice.axis-1", lambda x: x[..., 0:3], (2, 3, 4))
    ids = area.put("embedding.ids", [[2, 0, 2], [4, 2, 0]]).long()  # rows used twice, and rows never used
    case(area, "embedding.rank2", lambda table: F.embedding(ids, table), (5, 3))
    masks = {"same": (2, 3, 4, 5), "heads": (2, 1, 4, 5), "padding": (2, 1, 1, 5), "causal": (4, 5)}
    for name, shape in masks.items():
        allowed = area.draw_mask(f"masked_fill.{name}.mask", *shape)
        case(area, f"masked_fill.{name}", lambda x: x.masked_fill(~allowed, -7), (2, 3, 4, 5))


def common_matmul(area):
    leading = {"matrices": ((), ()), "batch": ((2, 3), (2, 3)), "broadcast": ((2, 1), (4,)),
               "both": ((3, 1), (1, 2)), "one_right": ((2, 3), ()), "one_left": ((), (2, 3)),
               "ones_right": ((2, 3), (1, 1))}
    for name, (left, right) in leading.items():
        for flag in ("none", "a", "b", "both"):
            a = left + ((4, 5) if flag in ("none", "b") else (5, 4))
            b = right + ((5, 3) if flag in ("none", "a") else (3, 5))

            def product(x, y):
                x = x.transpose(-1, -2) if flag in ("a", "both") else x
                y = y.transpose(-1, -2) if flag in ("b", "both") else y
                return x @ y

            case(area, f"matmul.{name}.{flag}", product, a, b)
    for name, shape in {"vector": (5,), "rows": (2, 5), "batch": (2, 3, 5)}.items():
        case(area, f"linear.{name}", F.linear, shape, (4, 5))
        case(area, f"linear.{name}.bias", F.linear, shape, (4, 5), (4,))


def common_kernels(area):
    x = area.draw("softmax_rows.x", 4, 37, low=-5, high=5)
    for name, scale in {"one": 1, "quarter": 0.25, "negative": -2}.items():
        y = torch.softmax(scale * x, -1)
        area.put(f"softmax_rows.{name}.output", y)
        area.gradients(f"softmax_rows.{name}.", y, {"x": x})


def mersenne_twister_64(seed):
    """Matsumoto and Nishimura's mt19937-64, written from its published constants: the raw draws of an Rng."""
    size, half, bits = 312, 156, (1 << 64) - 1
    state = [seed & bits]
    for i in range(1, size):
        state.append((6364136223846793005 * (state[-1] ^ (state[-1] >> 62)) + i) & bits)
    while True:
        for i in range(size):
            mixed = (state[i] & ~0x7FFFFFFF) | (state[(i + 1) % size] & 0x7FFFFFFF)
            state[i] = state[(i + half) % size] ^ (mixed >> 1) ^ (0xB5026F5AA96619E9 if mixed & 1 else 0)
        for y in state:
            y ^= (y >> 29) & 0x5555555555555555
            y ^= (y << 17) & 0x71D67FFFEDA60000
            y ^= (y << 37) & 0xFFF7EEE000000000
            yield y ^ (y >> 43)


def common_rng(area):
    draws = mersenne_twister_64(5489)  # the C++ standard names the 10000th draw of the default seed
    assert [next(draws) for _ in range(10000)][-1] == 9981545732273789042

    def three_floats(numbers):  # float64 as the exact sum of three float32
        parts, rest = [], np.array(numbers)
        for _ in range(3):
            parts.append(rest.astype(np.float32).astype(np.float64))
            rest = rest - parts[-1]
        return np.stack(parts, axis=-1)

    def uniforms(seed):
        return ((draw >> 11) * 2.0**-53 for draw in mersenne_twister_64(seed))

    source = uniforms(42)
    area.put("rng.uniform", three_floats([next(source) for _ in range(400)]))  # 312 is one turn
    source = uniforms(42)
    pairs = ((1 - next(source), next(source)) for _ in range(400))
    normals = [math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * v) for u, v in pairs]
    area.put("rng.normal", three_floats(normals))
    source = uniforms(7)
    area.put("rng.below", [math.floor(next(source) * 10) for _ in range(50)])
    source = uniforms(7)
    area.put("rng.uniform_array", np.reshape([-2 + 5 * next(source) for _ in range(6)], (2, 3)))


def coins(key, count, probability):
    """`count` coins of one key: true where the 53 high bits of SplitMix64's next output, as a fraction, are below
    `probability`. Written as the generator that it is (a state that grows by the golden ratio, then two rounds of
    mixing), with unbounded integers; the C++ computes each output by itself from its index."""
    bits, state, shown = (1 << 64) - 1, key, []
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & bits
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & bits
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & bits
        shown.append(((mixed ^ (mixed >> 31)) >> 11) * 2.0**-53 < probability)
    return shown


def common_bernoulli(area):
    # The first three outputs of the seed 1234567, which the test of other implementations of SplitMix64 name too.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    for i, output in enumerate(published):
        u = (output >> 11) * 2.0**-53
        assert coins(1234567, 3, u)[i] is False and coins(1234567, 3, math.nextafter(u, 2))[i] is True
    draws = mersenne_twister_64(7)
    for name, probability, shape in (("half", 0.5, (40, 25)), ("nine_tenths", 0.9, (300,)), ("rare", 0.01, (500,))):
        area.put(f"rng.bernoulli.{name}", np.reshape(coins(next(draws), math.prod(shape), probability), shape))


def common():
    area = Area(seed=100)
    for part in (common_arithmetic, common_elementwise, common_reductions, common_shaping, common_matmul,
                 common_kernels, common_rng, common_maximum, common_bernoulli):  # new ones last: the draws of the others stay
        part(area)
    return area
