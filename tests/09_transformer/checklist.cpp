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

std::vector<std::int64_t> part_of(const std::vector<std::int64_t>& tokens, std::size_t begin,
                                  std::size_t end) {
    return {tokens.begin() + static_cast<std::ptrdiff_t>(begin),
            tokens.begin() + static_cast<std::ptrdiff_t>(end)};
}

namespace {

float scale_of(const Transformer& m, std::size_t seq, Wrong wrong) {
    const TransformerConfig& c = m.config;
    const auto root = [](std::size_t of) { return std::sqrt(static_cast<float>(of)); };
    const std::size_t d_model = c.block.d_model;
    if (c.scale_embedding == (wrong == Wrong::other_scale)) return 1.0f;
    switch (wrong) {
        case Wrong::divided:
            return 1.0f / root(d_model);
        case Wrong::times_d_model:
            return static_cast<float>(d_model);
        case Wrong::cut_root:
            return std::floor(root(d_model));
        case Wrong::root_of_d_k:
            return root(d_model / c.block.num_heads);
        case Wrong::root_of_vocab:
            return root(c.vocab_size);
        case Wrong::root_of_length:
            return root(seq);
        default:
            return root(d_model);
    }
}

// The rows of the positions, (seq, d_model).
Tensor positions_of(const Transformer& m, std::size_t seq, Wrong wrong) {
    const std::size_t first = wrong == Wrong::positions_from_1 ? 1 : 0;
    if (m.sinusoids) return slice(m.sinusoids->table, 0, first, first + seq);
    if (m.learned_positions) return slice(m.learned_positions->embedding.weight, 0, first, first + seq);
    return Tensor::zeros({seq, m.config.block.d_model});
}

}  // namespace

Tensor embedded(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds, Wrong wrong) {
    const std::size_t seq = ids.shape()[1];
    const float scale = scale_of(m, seq, wrong);
    const Tensor places = positions_of(m, seq, wrong);
    const Ids rows = kinds && wrong != Wrong::one_segment ? *kinds : all_in_segment_0(ids);
    const Tensor& segment_table =
        wrong == Wrong::segments_of_tokens || !m.segments ? m.embedding.weight : m.segments->weight;
    const auto segment = [&] { return embedding(segment_table, rows); };
    Tensor x = embedding(m.embedding.weight, ids);
    if (wrong == Wrong::table_only) return x;
    if (wrong == Wrong::added_first) return (x + places) * scale;
    if (wrong == Wrong::segments_first) return (x + segment()) * scale + places;
    if (wrong == Wrong::norm_first) x = (*m.embedding_norm)(x);
    if (wrong == Wrong::added_once_more) x = x + x;
    if (scale != 1.0f) x = x * scale;
    if (wrong != Wrong::no_positions) x = x + places;
    if (wrong == Wrong::positions_twice) x = x + places;
    if (wrong == Wrong::norm_before_segments) return (*m.embedding_norm)(x) + segment();
    if (m.segments && wrong != Wrong::no_segments) x = x + segment();
    if (wrong == Wrong::new_norm) return Norm(m.config.block)(x);
    const bool normed = m.embedding_norm && wrong != Wrong::no_norm && wrong != Wrong::norm_first;
    return normed ? (*m.embedding_norm)(x) : x;
}

Tensor reference_hidden(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds, Wrong wrong) {
    auto padding = padding_of(m.config, ids);
    if (wrong == Wrong::no_padding) padding.reset();
    if (wrong == Wrong::zero_is_padding) padding = padding_mask(ids, 0);
    const Tensor x = embedded(m, ids, kinds, wrong);
    if (wrong == Wrong::no_stack) return x;
    Stack stack = std::get<Stack>(m.stack);
    if (wrong == Wrong::no_causal_mask) stack.kind = StackKind::encoder;
    if (wrong == Wrong::no_final_norm) stack.final_norm.reset();
    const Tensor hidden = stack(x, padding).output;
    return wrong == Wrong::second_final_norm && stack.final_norm ? (*stack.final_norm)(hidden) : hidden;
}

Tensor reference_logits(const Transformer& m, const Tensor& hidden) {
    return matmul(hidden, m.output ? m.output->weight : m.embedding.weight, Transpose::b);
}

std::vector<Suspect> logits_suspects(const Transformer& m, const std::function<Tensor()>& logits) {
    const float root = std::sqrt(static_cast<float>(m.config.block.d_model));
    const std::string before = "the logits are scores, before any softmax";
    return {
        {before + "; these are its probabilities", [=] { return softmax(logits()); }},
        {before + "; these are the logarithms of its probabilities", [=] { return log(softmax(logits())); }},
        {"the logits are scaled by sqrt(d_model) as well; only what enters the first block is",
         [=] { return logits() * root; }},
        {"the logits are divided by sqrt(d_model)", [=] { return logits() / root; }}};
}

std::int64_t token_of_largest(const Tensor& scores) {
    const auto last = scores.values().last(scores.size(-1));
    return std::max_element(last.begin(), last.end()) - last.begin();
}

testing::AssertionResult logits_of_hidden(const Transformer& m, const TransformerOutput& result,
                                          const TransformerOutput& plain) {
    Shape of_hidden = result.logits.shape();
    of_hidden.back() = m.config.block.d_model;
    const testing::AssertionResult fits = has_shape(result.hidden, of_hidden);
    if (!fits) return fits;
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

testing::AssertionResult padding_misfits(const std::string& error) {
    const std::size_t of_all = error.find("1, 1, 5)"), of_this_part = error.find("1, 1, 3)");
    const bool shapes = std::max(of_all, of_this_part) != std::string::npos;
    return testing::AssertionFailure()
           << error << likely_if(shapes && of_all < of_this_part, padding_not_of_the_pass)
           << likely_if(shapes && of_this_part < of_all,
                        "the padding is that of all keys, but the stack is not given the pass and does not "
                        "know the earlier ones");
}

std::vector<std::int64_t> list(const Ids& ids) { return {ids.begin(), ids.end()}; }

}  // namespace tfs::test
