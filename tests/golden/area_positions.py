# tests/golden/area_positions.py · 03_positional_encoding.safetensors: sinusoids, rotary positions, ALiBi

import math

import torch

from golden_area import Area


# --- a mistake of published code, word for word ---------------------------

def precompute_freqs_cis(dim, max_seq_len, theta=10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2).float() / dim))
    t = torch.arange(max_seq_len)
    freqs = torch.outer(t, freqs)
    freqs_cis = torch.polar(torch.ones_like(freqs), freqs)  # complex
    return freqs_cis


def apply_rotary_emb(xq, xk, freqs_cis):
    xq_ = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2))
    xk_ = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2))

    freqs_cis = freqs_cis.unsqueeze(0).unsqueeze(2)  # (1, seq, 1, dim/2)
    xq_out = torch.view_as_real(xq_ * freqs_cis).flatten(3)
    xk_out = torch.view_as_real(xk_ * freqs_cis).flatten(3)

    return xq_out.type_as(xq), xk_out.type_as(xk)


# --- the values ------------------------------------------------------------------------------------------------------

def sinusoids(d_model, max_len):
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    frequency = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    table = torch.zeros(max_len, d_model, dtype=torch.float64)
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)
    return table


def positions_sinusoids(area):
    table = sinusoids(8, 16)
    area.put("sinusoids.table", table)
    area.put("sinusoids.far", sinusoids(6, 20001)[-4:])  # where angles in float32 are visibly wrong
    x = area.draw("sinusoids.x", 2, 5, 8)
    for prefix, offset in (("sinusoids.", 0), ("sinusoids.offset.", 7)):
        y = x + table[offset:offset + 5]
        area.put(prefix + "output", y)
        area.gradients(prefix, y, {"x": x})


def positions_learned(area):
    table = area.draw("learned.table", 12, 6)
    x = area.draw("learned.x", 2, 4, 6)
    for prefix, offset in (("learned.", 0), ("learned.offset.", 8)):
        y = x + torch.nn.functional.embedding(torch.arange(offset, offset + 4), table)
        area.put(prefix + "output", y)
        area.gradients(prefix, y, {"x": x, "table": table})


def frequencies(d_k, max_len, theta=10000.0):
    """(max_len, d_k / 2) complex numbers e^(i m theta_j), as in the code of LLaMA, in double precision."""
    frequency = 1.0 / theta ** (torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    angle = torch.outer(torch.arange(max_len, dtype=torch.float64), frequency)
    return torch.polar(torch.ones_like(angle), angle)


def rotate_interleaved(x, table):
    """x (batch, heads, seq, d_k), table (seq, d_k / 2): broadcasts over batch and heads, the axes in front."""
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * table).flatten(-2)


def rotate_half_split(x, table):
    """The same for pairs (i, i + d_k/2), in the way of the Hugging Face code."""
    cos, sin = torch.cat([table.real] * 2, -1), torch.cat([table.imag] * 2, -1)
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat([-second, first], -1) * sin


def positions_rotary(area):
    table = frequencies(8, 16)
    area.put("rotary.cos", table.real)
    area.put("rotary.sin", table.imag)
    for part, values in (("cos", frequencies(6, 20001)[-4:].real), ("sin", frequencies(6, 20001)[-4:].imag)):
        area.put("rotary.far." + part, values)
    other = frequencies(8, 16, theta=500000.0)
    area.put("rotary.theta.cos", other.real)
    area.put("rotary.theta.sin", other.imag)
    x = area.draw("rotary.x", 2, 3, 5, 8)
    even_first = torch.cat([torch.arange(0, 8, 2), torch.arange(1, 8, 2)])
    for layout, rotate in (("interleaved", rotate_interleaved), ("half_split", rotate_half_split)):
        for prefix, offset in ((f"rotary.{layout}.", 0), (f"rotary.{layout}.offset.", 11)):
            y = rotate(x, table[offset:offset + 5])
            area.put(prefix + "output", y)
            area.gradients(prefix, y, {"x": x})
    same = rotate_half_split(x[..., even_first], table[:5])  # one permutation leads from one layout to the other
    assert torch.allclose(same, rotate_interleaved(x, table[:5])[..., even_first], rtol=1e-12)


def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, -1)
    return weights @ v, weights


def positions_rotary_attention(area):
    """Queries at the positions 3, 4, 5 over the keys 0 … 5."""
    table = frequencies(8, 16)
    q = area.draw("rotary_attention.q", 2, 5, 3, 8)
    k, v = area.draw("rotary_attention.k", 2, 5, 6, 8), area.draw("rotary_attention.v", 2, 5, 6, 7)
    causal = torch.arange(6) <= torch.arange(3, 6).unsqueeze(1)
    for name, rotate, mask in (("", rotate_interleaved, None), ("half_split.", rotate_half_split, None),
                               ("masked.", rotate_interleaved, causal)):
        prefix = "rotary_attention." + name
        output, weights = attend(rotate(q, table[3:6]), rotate(k, table[:6]), v, mask)
        area.put(prefix + "output", output)
        area.put(prefix + "weights", weights)
        area.gradients(prefix, output, {"q": q, "k": k, "v": v})


def slopes(n):
    """In the recursive form of the code published with the ALiBi paper."""
    if math.log2(n).is_integer():
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start ** (i + 1) for i in range(n)]
    power = 2 ** math.floor(math.log2(n))
    return slopes(power) + slopes(2 * power)[0::2][:n - power]


def positions_alibi(area):
    for n in (1, 2, 3, 8, 12, 16):
        area.put(f"alibi.slopes.{n}", slopes(n))
    for name, heads, queries, keys, offset in (("", 4, 5, 5, 0), ("offset.", 3, 2, 6, 4)):
        behind = torch.arange(queries).unsqueeze(1) + offset - torch.arange(keys)
        slope = torch.tensor(slopes(heads), dtype=torch.float64).view(1, heads, 1, 1)
        area.put(f"alibi.bias.slopes.{heads}", slopes(heads))
        area.put(f"alibi.bias.{name}output", -slope * behind.clamp(min=0))


def fault_of_the_notes():
    """Angles along the heads: where the shapes fit, no score knows a position; the lesson says so. Stores nothing."""
    random = torch.Generator().manual_seed(3)
    for heads, seq, d_k in ((8, 8, 64), (8, 8, 8), (16, 10, 64)):
        q, k = torch.randn(2, 2, heads, seq, d_k, generator=random, dtype=torch.float32)
        table = precompute_freqs_cis(d_k, heads)
        assert table.dtype == torch.complex64, table.dtype
        turned_q, turned_k = apply_rotary_emb(q, k, table)
        unturned = q @ k.transpose(-2, -1)
        assert torch.allclose(turned_q @ turned_k.transpose(-2, -1), unturned, rtol=0.0, atol=1e-5)
    q, k = torch.randn(2, 2, 4, 10, 8, generator=random, dtype=torch.float32)
    try:
        apply_rotary_emb(q, k, precompute_freqs_cis(8, 10))
    except RuntimeError as error:
        assert "must match the size" in str(error), error
    else:
        raise AssertionError("10 angles for 4 heads were accepted")


def positions():
    fault_of_the_notes()
    area = Area(seed=103)
    for part in (positions_sinusoids, positions_learned, positions_rotary, positions_rotary_attention,
                 positions_alibi):
        part(area)
    return area
