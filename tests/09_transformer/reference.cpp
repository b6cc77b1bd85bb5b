// tests/09_transformer/reference.cpp · what the steps of chapter 09 should give, and what they give with one thing done wrong
#include "tests/09_transformer/reference.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/inputs.hpp"

namespace tfs::test {

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
        case Wrong::root_of_max_len:
            return root(c.max_len());
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

// The table of the tokens, the row of the padding all zeros.
Tensor without_padding(const Transformer& m) {
    Array rows = m.embedding.weight.array();
    const std::size_t width = m.config.block.d_model;
    std::fill_n(rows.begin() + *m.config.pad_id * static_cast<std::int64_t>(width), width, 0.0f);
    return Tensor(rows);
}

}  // namespace

Tensor embedded(const Transformer& m, const Ids& ids, const std::optional<Ids>& kinds, Wrong wrong) {
    const std::size_t seq = ids.shape()[1];
    const float scale = scale_of(m, seq, wrong);
    const Tensor places =
        wrong == Wrong::positions_across_the_batch
            ? reshape(positions_of(m, ids.size(), wrong), {ids.shape()[0], seq, m.config.block.d_model})
            : positions_of(m, seq, wrong);
    const Ids rows = kinds && wrong != Wrong::one_segment ? *kinds : all_in_segment_0(ids);
    const Tensor& segment_table =
        wrong == Wrong::segments_of_tokens || !m.segments ? m.embedding.weight : m.segments->weight;
    const auto segment = [&] { return embedding(segment_table, rows); };
    Tensor x = embedding(wrong == Wrong::padding_is_zero ? without_padding(m) : m.embedding.weight, ids);
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
    std::vector<Suspect> all{
        {before + "; these are its probabilities", [=] { return softmax(logits()); }},
        {before + "; these are the logarithms of its probabilities", [=] { return log(softmax(logits())); }},
        {"the logits are scaled by sqrt(d_model) as well; only what enters the first block is",
         [=] { return logits() * root; }},
        {"the logits are divided by sqrt(d_model)", [=] { return logits() / root; }}};
    if (!m.config.pad_id) return all;
    std::vector<int> kept(m.config.vocab_size, 1);
    kept[static_cast<std::size_t>(*m.config.pad_id)] = 0;
    const Mask scored = Mask::from({m.config.vocab_size}, kept);
    for (const float low : {-infinity, -1e9f})
        all.push_back({"the logit of the padding is masked; every token has its score, padding too",
                       [=] { return masked_fill(logits(), scored, low); }});
    return all;
}

std::int64_t token_of_largest(const Tensor& scores) {
    const auto last = scores.values().last(scores.size(-1));
    return std::max_element(last.begin(), last.end()) - last.begin();
}

}  // namespace tfs::test
