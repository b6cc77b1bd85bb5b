// tests/09_transformer/checklist.cpp · what the checks of several steps of chapter 09 share
#include "tests/09_transformer/checklist.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/golden.hpp"
#include "tests/support/gradients_reach.hpp"

namespace tfs::test {

TransformerConfig golden_config(const std::string& name) {
    TransformerConfig c{.vocab_size = 11, .max_len = 10, .num_layers = 2};
    c.block = {.d_model = 8, .num_heads = 2, .d_ff = 12};
    c.positions = Positions::learned;
    c.scale_embedding = false;
    if (name == "gpt2") c.block.activation = Activation::gelu_tanh;
    if (name == "bert") {
        c.architecture = Architecture::encoder_only;
        c.block.norm_position = NormPosition::post;
        c.block.norm_eps = 1e-12f;
        c.final_norm = false;
        c.embedding_norm = c.pooler = true;
        c.num_segments = 2;
        c.pad_id = 0;
    }
    if (name == "original") {
        c.architecture = Architecture::encoder_decoder;
        c.block.norm_position = NormPosition::post;
        c.block.activation = Activation::relu;
        c.positions = Positions::sinusoidal;
        c.scale_embedding = true;
        c.pad_id = 0;
    }
    if (name == "llama") {
        c.block = llama_block(8, 2, 12, 10);
        c.positions = Positions::rotary;
        c.tied_output = false;
    }
    return c;
}

Transformer made(const TransformerConfig& config, std::uint64_t seed) {
    Rng rng(seed);
    return Transformer(config, rng);
}

Transformer undrawn(const TransformerConfig& config) {
    Rng none = Rng::zeros();
    return Transformer(config, none);
}

Transformer golden_model(const std::string& name, double dropout) {
    TransformerConfig config = golden_config(name);
    config.block.dropout = dropout;
    Transformer model = undrawn(config);
    for (NamedTensor p : model.parameters())
        p.tensor.mutable_array() = golden()[name + ".w." + p.name].array();
    return model;
}

TransformerConfig notes_config(Architecture architecture) {
    TransformerConfig c{.architecture = architecture, .vocab_size = 13, .max_len = 12, .num_layers = 2};
    c.block = {.d_model = 16, .num_heads = 2, .d_ff = 24};
    return c;
}

Ids all_ones(std::size_t batch, std::size_t seq) {
    Ids ids = Ids::from_shape({batch, seq});
    std::fill(ids.begin(), ids.end(), 1);
    return ids;
}

Ids part_of(const Ids& ids, std::size_t begin, std::size_t end) {
    Ids part = Ids::from_shape({ids.shape()[0], end - begin});
    for (std::size_t row = 0; row < ids.shape()[0]; ++row)
        for (std::size_t t = begin; t < end; ++t) part(row, t - begin) = ids(row, t);
    return part;
}

Tensor embedded(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds, Wrong wrong) {
    const TransformerConfig& c = m.config;
    const std::size_t seq = ids.shape()[1], d_model = c.block.d_model;
    const float root = std::sqrt(static_cast<float>(d_model));
    const bool scaled = c.scale_embedding != (wrong == Wrong::other_scale);
    const auto first_rows = [&](const Tensor& table) { return slice(table, 0, 0, seq); };
    Tensor places = Tensor::zeros({seq, d_model});
    if (m.sinusoids) places = first_rows(m.sinusoids->table);
    if (m.learned_positions) places = first_rows(m.learned_positions->embedding.weight);
    Tensor x = embedding(m.embedding.weight, ids);
    if (wrong == Wrong::added_first) return (x + places) * root;
    if (wrong == Wrong::segments_first) return (x + embedding(m.segments->weight, *kinds)) * root + places;
    if (wrong == Wrong::norm_first) x = (*m.embedding_norm)(x);
    if (wrong == Wrong::added_once_more) x = x + x;
    if (scaled)
        x = wrong == Wrong::divided ? x / root : wrong == Wrong::times_d_model ? x * root * root : x * root;
    if (wrong != Wrong::no_positions) x = x + places;
    if (wrong == Wrong::positions_twice) x = x + places;
    const Ids zeros = all_in_segment_0(ids);
    if (m.segments && wrong != Wrong::no_segments)
        x = x + embedding(m.segments->weight, kinds && wrong != Wrong::one_segment ? *kinds : zeros);
    const bool normed = m.embedding_norm && wrong != Wrong::no_norm && wrong != Wrong::norm_first;
    return normed ? (*m.embedding_norm)(x) : x;
}

Tensor reference_hidden(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds, Wrong wrong) {
    const auto padding = wrong == Wrong::no_padding ? std::nullopt : padding_of(m.config, ids);
    const Tensor x = embedded(m, ids, kinds, wrong);
    if (wrong == Wrong::no_stack) return x;
    Stack stack = std::get<Stack>(m.stack);
    if (wrong == Wrong::no_final_norm) stack.final_norm.reset();
    return stack(x, padding).output;
}

Tensor reference_logits(const Transformer& m, const Tensor& hidden) {
    return matmul(hidden, m.output ? m.output->weight : m.embedding.weight, Transpose::b);
}

testing::AssertionResult logits_of_hidden(const Transformer& m, const TransformerOutput& result,
                                          const TransformerOutput& plain) {
    testing::AssertionResult found =
        close_named("logits in training", result.logits, reference_logits(m, result.hidden), whole_model);
    return found << likely_if(!found && close(plain.logits, reference_logits(m, plain.hidden), whole_model),
                              "the hidden states are dropped once more before the logits");
}

void expect_golden_gradients(const std::string& name, const Transformer& m,
                             const std::vector<Tensor>& results) {
    std::vector<Tensor> flat;
    for (const Tensor& result : results) flat.push_back(reshape(result, {result.size()}));
    ASSERT_TRUE(send_back(concat(flat, 0), golden()[name + ".grad_weights"])) << name;
    ASSERT_TRUE(gradients_reach(m.parameters())) << name;
    for (const NamedTensor& p : m.parameters())
        EXPECT_TRUE(
            gradient_close(name + " " + p.name, p.tensor, golden()[name + ".grad_" + p.name], {1e-4, 2e-5}));
}

std::vector<std::int64_t> list(const Ids& ids) { return {ids.begin(), ids.end()}; }

}  // namespace tfs::test
