// tests/06_residual_dropout/attention_suspects.hpp · the golden attention with dropout, and its classic wrong answers
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/06_residual_dropout/checklist.hpp"

namespace tfs::test {

struct Attention {
    MultiHeadAttention layer;
    Tensor query = leaf("mha.query"), key = leaf("mha.key"), value = leaf("mha.value");
    Mask mask;

    Attention() : layer(make()), mask(golden_mask("mha.mask")) {
        for (const auto& [name, part] : {std::pair("w_q", &layer.w_q), std::pair("w_k", &layer.w_k),
                                         std::pair("w_v", &layer.w_v), std::pair("w_o", &layer.w_o)}) {
            part->weight = leaf(std::string(name) + ".weight");
            part->bias = leaf(std::string(name) + ".bias");
        }
    }
    static MultiHeadAttention make() {
        Rng none = Rng::zeros();
        return MultiHeadAttention(12, 3, none);
    }
    AttentionOutput run(Rng* rng, bool masked = false, double rate = golden_p,
                        Weights keep = Weights::keep) const {
        if (keep == Weights::none)
            return {layer.w_o(merge_heads(
                        attention_with_dropout(
                            split(layer.w_q(query)), split(layer.w_k(key)), split(layer.w_v(value)),
                            masked ? std::optional(mask) : std::nullopt, rate, rng, std::nullopt, keep)
                            .output)),
                    no_weights()};
        return attention_with_dropout(layer, query, key, value, masked ? std::optional(mask) : std::nullopt,
                                      rate, rng);
    }
    // Head by head from the tensor layer, so that what a mistake exchanges can be exchanged.
    Tensor split(const Tensor& t) const { return transpose(reshape(t, {2, t.size(1), 3, 4}), 1, 2); }
    Tensor scores() const {
        return matmul(split(layer.w_q(query)), split(layer.w_k(key)), Transpose::b) / 2.0f;
    }
    static Tensor softmax_of(const Tensor& t) {
        const Tensor e = exp(t - max(t, -1, KeepDims::yes));
        return e / sum(e, -1, KeepDims::yes);
    }
    Tensor heads(const Tensor& weights) const { return matmul(weights, split(layer.w_v(value))); }
    static Tensor merged(const Tensor& heads) { return reshape(transpose(heads, 1, 2), {2, 7, 12}); }
    Tensor output(const Tensor& weights) const { return layer.w_o(merged(heads(weights))); }
};

struct WrongAttention {
    std::string message;
    std::function<Tensor(const Attention&)> weights;  // as returned
    std::function<Tensor(const Attention&)> output;
};

std::vector<WrongAttention> wrong_attentions();

}  // namespace tfs::test
