# tests/golden/area_encoder_decoder.py · 08_encoder_decoder.safetensors: torch.nn.Transformer and its parts
#
# One set of weights, drawn under our names; both forms (norm first with GELU, norm last with ReLU) and every part
# use it: the blocks are the first layers of the stacks. Training mode with dropout 0: evaluation would take
# PyTorch's fast path.

import math

import torch
from torch import nn

from golden_area import Area

# No two sizes are equal: exchanging two axes would go unseen.
D_MODEL, HEADS, D_FF, LAYERS = 12, 3, 16, 2  # d_k = 4
BATCH, SOURCE, TARGET = 5, 7, 6


def draw_linear(area, name, d_in, d_out):
    bound = 1.5 / math.sqrt(d_in)
    return {name + ".weight": area.draw(name + ".weight", d_out, d_in, low=-bound, high=bound),
            name + ".bias": area.draw(name + ".bias", d_out, low=-0.5, high=0.5)}


def draw_norm(area, name):
    return {name + ".gamma": area.draw(name + ".gamma", D_MODEL, low=0.5, high=1.5),
            name + ".beta": area.draw(name + ".beta", D_MODEL, low=-0.5, high=0.5)}


def draw_block(area, prefix, attentions):
    parameters = {}
    for attention in attentions:
        for name in ("w_q", "w_k", "w_v", "w_o"):
            parameters.update(draw_linear(area, f"{prefix}{attention}.{name}", D_MODEL, D_MODEL))
        parameters.update(draw_norm(area, f"{prefix}{attention}.norm"))
    parameters.update(draw_linear(area, f"{prefix}feed_forward.up", D_MODEL, D_FF))
    parameters.update(draw_linear(area, f"{prefix}feed_forward.down", D_FF, D_MODEL))
    parameters.update(draw_norm(area, f"{prefix}feed_forward.norm"))
    return parameters


def draw_parameters(area):
    parameters = {}
    for i in range(LAYERS):
        parameters.update(draw_block(area, f"encoder.blocks.{i}.", ["attention"]))
    parameters.update(draw_norm(area, "encoder.final_norm"))
    for i in range(LAYERS):
        parameters.update(draw_block(area, f"decoder.blocks.{i}.", ["self_attention", "cross"]))
    parameters.update(draw_norm(area, "decoder.final_norm"))
    return parameters


def set_parameter(module, name, tensor):
    """A tensor in place of a parameter, so that the gradient is one of `tensor`."""
    delattr(module, name)
    setattr(module, name, tensor)


def set_affine(module, weight, bias):
    set_parameter(module, "weight", weight)
    set_parameter(module, "bias", bias)


def set_attention(module, parameters, prefix):
    for ours, theirs in (("weight", "in_proj_weight"), ("bias", "in_proj_bias")):
        joined = torch.cat([parameters[f"{prefix}{w}.{ours}"] for w in ("w_q", "w_k", "w_v")])
        set_parameter(module, theirs, joined)
    set_affine(module.out_proj, parameters[prefix + "w_o.weight"], parameters[prefix + "w_o.bias"])


def set_norm(module, parameters, prefix):
    set_affine(module, parameters[prefix + "gamma"], parameters[prefix + "beta"])


def set_layer(layer, parameters, prefix, attentions):
    """attentions: (name of ours, module of theirs) in the order of norm1, norm2, …"""
    norms = [layer.norm1, layer.norm2] + ([layer.norm3] if len(attentions) == 2 else [])
    for norm, (name, module) in zip(norms, attentions):
        set_attention(module, parameters, f"{prefix}{name}.")
        set_norm(norm, parameters, f"{prefix}{name}.norm.")
    set_norm(norms[-1], parameters, prefix + "feed_forward.norm.")
    for ours, linear in (("up", layer.linear1), ("down", layer.linear2)):
        name = f"{prefix}feed_forward.{ours}."
        set_affine(linear, parameters[name + "weight"], parameters[name + "bias"])


def keep_weights(module, kept):
    """Every call of an nn.MultiheadAttention also leaves its weights, head by head."""
    forward = module.forward

    def with_weights(*arguments, **options):
        options.update(need_weights=True, average_attn_weights=False)
        output, weights = forward(*arguments, **options)
        kept.append(weights)
        return output, None

    module.forward = with_weights


def make_model(parameters, form):
    model = nn.Transformer(D_MODEL, HEADS, LAYERS, LAYERS, D_FF, dropout=0.0, batch_first=True,
                           activation="gelu" if form == "pre" else "relu", norm_first=form == "pre").double()
    model.train()
    kept = {"encoder": [], "self": [], "cross": []}
    for i, layer in enumerate(model.encoder.layers):
        set_layer(layer, parameters, f"encoder.blocks.{i}.", [("attention", layer.self_attn)])
        keep_weights(layer.self_attn, kept["encoder"])
    for i, layer in enumerate(model.decoder.layers):
        set_layer(layer, parameters, f"decoder.blocks.{i}.",
                  [("self_attention", layer.self_attn), ("cross", layer.multihead_attn)])
        keep_weights(layer.self_attn, kept["self"])
        keep_weights(layer.multihead_attn, kept["cross"])
    set_norm(model.encoder.norm, parameters, "encoder.final_norm.")
    set_norm(model.decoder.norm, parameters, "decoder.final_norm.")
    return model, kept


def put_lengths(area, name, lengths, seq):
    """The padding of sequences that end after so many tokens."""
    return area.put(name, [[t < length for t in range(seq)] for length in lengths]) != 0


def put(area, prefix, output, kept, inputs):
    area.put(prefix + "output", output)
    for kind, layers in kept.items():
        for i, weights in enumerate(layers):
            area.put(f"{prefix}{kind}_weights.{i}", weights)
        layers.clear()
    area.gradients(prefix, output, inputs)


def used_by(output, parameters):
    """Those parameters that the output depends on."""
    names = list(parameters)
    found = torch.autograd.grad(output.sum(), [parameters[name] for name in names], retain_graph=True,
                                allow_unused=True)
    return {name: parameters[name] for name, gradient in zip(names, found) if gradient is not None}


def encoder_decoder():
    area = Area(seed=108)
    parameters = draw_parameters(area)
    source, target = area.draw("source", BATCH, SOURCE, D_MODEL), area.draw("target", BATCH, TARGET, D_MODEL)
    memory = area.draw("memory", BATCH, SOURCE, D_MODEL)
    # True = real. PyTorch's masks are true where a key is hidden.
    real_source = put_lengths(area, "source_padding", [7, 3, 6, 5, 2], SOURCE)
    real_target = put_lengths(area, "target_padding", [5, 6, 2, 4, 6], TARGET)
    no_source, no_target = ~real_source, ~real_target
    ahead = torch.ones(TARGET, TARGET).triu(1) != 0
    ahead_of_source = torch.ones(SOURCE, SOURCE).triu(1) != 0

    for form in ("pre", "post"):
        model, kept = make_model(parameters, form)

        def save(name, output, inputs):
            put(area, f"{form}.{name}.", output, {k: v for k, v in kept.items() if v},
                {**inputs, **used_by(output, parameters)})

        layer = model.encoder.layers[0]
        save("encoder_block", layer(source, src_key_padding_mask=no_source), {"source": source})
        save("decoder_block", layer(source, ahead_of_source, no_source), {"source": source})
        save("encoder", model.encoder(source, src_key_padding_mask=no_source), {"source": source})
        save("decoder", model.encoder(source, ahead_of_source, no_source), {"source": source})

        layer = model.decoder.layers[0]  # its cross-attention in its place, then the whole block
        queries = layer.norm2(target) if form == "pre" else target
        added = target + layer.multihead_attn(queries, memory, memory, key_padding_mask=no_source)[0]
        across = added if form == "pre" else layer.norm2(added)
        save("cross_attention", across, {"target": target, "memory": memory})
        save("encoder_decoder_block", layer(target, memory, ahead, None, no_target, no_source),
             {"target": target, "memory": memory})
        save("encoder_decoder", model(source, target, tgt_mask=ahead, src_key_padding_mask=no_source,
                                      tgt_key_padding_mask=no_target, memory_key_padding_mask=no_source),
             {"source": source, "target": target})
        for name, masks in {"causal": {}, "source": {"src_key_padding_mask": no_source},
                            "memory": {"memory_key_padding_mask": no_source},
                            "target": {"tgt_key_padding_mask": no_target}}.items():
            area.put(f"{form}.encoder_decoder.{name}_alone", model(source, target, tgt_mask=ahead, **masks))
    return area
