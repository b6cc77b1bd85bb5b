# tests/golden/area_masks.py · 02_masks.safetensors: the masks, attention under each of them, and the fault of published code

import math

import torch
import torch.nn.functional as F

from golden_area import Area

TOKENS = [[5, 3, 8, 2, 9, 4], [7, 1, 6, 0, 0, 0], [2, 2, 5, 1, 0, 0]]  # 0 is padding
DOCUMENTS = [[1, 1, 1, 2, 2, 3], [4, 4, 4, 4, 4, 4], [2, 2, 1, 1, 2, 2]]


# --- a mistake of published code, word for word --------------------

def create_padding_mask(seq, pad_token_id=0):
    mask = (seq != pad_token_id).unsqueeze(1).unsqueeze(2)
    return mask.float()


def create_causal_mask(seq_len):
    mask = torch.triu(torch.ones(seq_len, seq_len), diagonal=1)
    mask = mask.masked_fill(mask == 1, float('-inf'))
    return mask.unsqueeze(0).unsqueeze(0)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1))
    scores = scores / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float('-inf'))
    attention_weights = F.softmax(scores, dim=-1)
    output = torch.matmul(attention_weights, V)
    return output, attention_weights


# --- the masks, true = may attend ------------------------------------------------------------------------------------

def ones(*shape):
    return torch.ones(*shape, dtype=torch.bool)


def masks_of_six(area):
    """Each kind over six positions; stored, and returned by name."""
    tokens = area.put("tokens", TOKENS)
    documents = area.put("documents", DOCUMENTS)
    causal = ones(6, 6).tril()[None, None]
    padding = (tokens != 0)[:, None, None, :]
    document = (documents[:, None, :, None] == documents[:, None, None, :])
    prefix = causal.clone()
    prefix[..., :3, :3] = True
    window = ones(6, 6).tril().triu(-2)[None, None]
    made = {"padding": padding, "causal": causal, "padding_and_causal": padding & causal, "window": window,
            "window_symmetric": ones(6, 6).tril(2).triu(-2)[None, None], "prefix": prefix,
            "document": document, "document_and_causal": document & causal}
    for name, mask in made.items():
        area.put("mask." + name, mask)
    area.put("mask.causal_cached", ones(3, 8).tril(5)[None, None])  # three queries after five cached keys
    area.put("mask.document_cross", documents[:, None, 1:5, None] == documents[:, None, None, :])
    return made


# --- attention under them --------------------------------------------------------------------------------------------

def attend(q, k, v, mask):
    """F.softmax where a query may attend to something, zeros where it may not."""
    scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]))
    mask = mask.expand(scores.shape)
    something = mask.any(-1, keepdim=True)
    weights = F.softmax(scores.masked_fill(~mask & something, -math.inf), -1) * something
    return weights @ v, weights


def attention_under_masks(area, made):
    q, k, v = area.draw("q", 3, 2, 6, 4), area.draw("k", 3, 2, 6, 4), area.draw("v", 3, 2, 6, 5)
    target = area.draw("target.q", 3, 2, 4, 4)
    nothing = made["causal"].clone()
    nothing[..., 2, :] = False
    area.put("mask.nothing_for_query_2", nothing)
    cases = [(name, q, mask) for name, mask in made.items()]
    cases += [("nothing_for_query_2", q, nothing), ("cross", target, made["padding"])]
    for name, queries, mask in cases:
        output, weights = attend(queries, k, v, mask)
        if bool(mask.any(-1).all()):  # PyTorch's own words for the same
            same, _ = F._scaled_dot_product_attention(queries, k, v, mask.expand(weights.shape))
            assert torch.allclose(output, same, rtol=1e-12)
        area.put(f"attention.{name}.output", output)
        area.put(f"attention.{name}.weights", weights)
        area.gradients(f"attention.{name}.", output, {"q": queries, "k": k, "v": v})


def fault_of_the_notes(area, made):
    q, k, v = (area.tensors[name] for name in "qkv")
    q, k, v = (torch.tensor(x, dtype=torch.float64) for x in (q, k, v))
    additive = create_causal_mask(6)
    area.put("notes.causal", additive)
    output, weights = scaled_dot_product_attention(q, k, v, additive)
    area.put("notes.weights", weights)
    area.put("notes.output", output)
    # All of the weight lies on the future, and the last query has nothing: NaN.
    assert bool((weights[..., :5, :].tril() == 0).all()) and bool(weights[..., 5, :].isnan().all())
    assert torch.allclose(weights[..., :5, :].sum(-1), torch.ones((), dtype=torch.float64))
    # One NaN is enough: a second layer reads it everywhere, and the gradient of a sound row carries it to every value.
    _, second = scaled_dot_product_attention(output, output, output, additive)
    assert bool(second.isnan().all())
    values = v.clone().requires_grad_()
    clean, _ = scaled_dot_product_attention(q, k, values, additive)
    gradient, = torch.autograd.grad(clean[..., 0, :].sum(), [values])
    assert not bool(clean[..., 0, :].isnan().any()) and bool(gradient.isnan().all())
    # Their padding mask, ones and zeros, does work in the same function …
    _, padded = scaled_dot_product_attention(q, k, v, create_padding_mask(torch.tensor(TOKENS)))
    assert torch.allclose(padded, attend(q, k, v, made["padding"])[1], rtol=1e-12)
    # … but not as the key_padding_mask of torch.nn.MultiheadAttention (encoder-block.md), which adds floats to the
    # scores: real keys get a bonus of 1, and padding stays visible.
    torch.manual_seed(0)
    layer, x = torch.nn.MultiheadAttention(4, 1, batch_first=True), torch.randn(3, 6, 4)
    with torch.no_grad():
        _, seen = layer(x, x, x, key_padding_mask=create_padding_mask(torch.tensor(TOKENS))[:, 0, 0])
    on_padding = seen[1, :, 3:].sum(-1)
    assert bool((on_padding > 0.05).all()), on_padding


def finite_numbers_do_not_forbid():
    """What the program prints of a row that may attend to nothing, in PyTorch itself. Its softmax of 1.13 knows no half
    precision on the CPU, so those rows stay a computation of the program's; that -1e9 does not fit is checked."""
    scores = torch.tensor([0.3, 1.1, -0.4, 0.9, -1.6], dtype=torch.float32)
    nothing = torch.zeros(5, dtype=torch.bool)
    weights = {value: F.softmax(scores + torch.tensor(0.0).masked_fill(~nothing, value), -1)
               for value in (-math.inf, -1e9, -1e4)}
    assert bool(weights[-math.inf].isnan().all())
    assert bool((weights[-1e9] == 0.2).all())
    assert torch.allclose(weights[-1e4], F.softmax(scores, -1), rtol=2e-3)
    half = scores.half() + torch.full((5,), -1e4, dtype=torch.float16)
    assert bool((half == half[0]).all())  # steps of 8 there: the scores vanish
    try:
        scores.half().masked_fill(~nothing, -1e9)
    except RuntimeError as error:
        assert "without overflow" in str(error)
    else:
        raise AssertionError("-1e9 fits into half precision")


def masks():
    area = Area(seed=202)
    made = masks_of_six(area)
    attention_under_masks(area, made)
    fault_of_the_notes(area, made)
    finite_numbers_do_not_forbid()
    return area
