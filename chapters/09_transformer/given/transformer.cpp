// chapters/09_transformer/given/transformer.cpp
#include "chapters/09_transformer/given/transformer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "chapters/07_block/given/block_checks.hpp"
#include "chapters/08_encoder_decoder/given/stacks.hpp"
#include "common/base/array.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

namespace {

using Problems = std::vector<std::string>;

const char* name_of(Architecture architecture) {
    if (architecture == Architecture::encoder_only) return "an encoder";
    return architecture == Architecture::decoder_only ? "a decoder" : "an encoder-decoder";
}

void add_sizes(Problems& all, const TransformerConfig& c) {
    if (c.vocab_size == 0) all.push_back("vocab_size is 0, but there must be a token");
    if (c.pad_id && (*c.pad_id < 0 || static_cast<std::size_t>(*c.pad_id) >= c.vocab_size))
        all.push_back(fmt::format("pad_id = {} is none of the {} tokens", *c.pad_id, c.vocab_size));
}

// The parts are counted in std::size_t: no sum of them may overflow. `most_weights` is at least what the model has.
void add_count(Problems& all, const TransformerConfig& c) {
    const double d = static_cast<double>(c.block.d_model), d_ff = static_cast<double>(c.block.d_ff);
    const double rows = 2.0 * static_cast<double>(c.vocab_size) + static_cast<double>(c.max_len()) +
                        static_cast<double>(c.num_segments);
    const double in_block = 3.0 * (4.0 * d * d + 4.0 * d) + 3.0 * d * d_ff + d + d_ff + 2.0 * 5.0 * d;
    const double most_weights = (rows + d + 8.0) * d + 2.0 * static_cast<double>(c.num_layers) * in_block;
    if (most_weights >= 0x1p63) {
        all.push_back(fmt::format(
            "vocab_size = {}, max_len = {}, num_segments = {}, num_layers = {} and d_model = {} make more "
            "weights than can be counted",
            c.vocab_size, c.max_len(), c.num_segments, c.num_layers, c.block.d_model));
    }
}

void add_encoder_parts(Problems& all, const TransformerConfig& c) {
    if (c.pooler && c.architecture != Architecture::encoder_only) {
        all.push_back(fmt::format(
            "a pooler reads the first position, which in {} sees nothing but itself: it needs an encoder",
            name_of(c.architecture)));
    }
    if (c.num_segments > 0 && c.architecture == Architecture::encoder_decoder)
        all.push_back(fmt::format("num_segments = {}, but an encoder-decoder keeps its two sequences apart",
                                  c.num_segments));
}

void add_cross_attention(Problems& all, const TransformerConfig& c) {
    if (c.architecture == Architecture::encoder_decoder && c.block.grouped() && c.block.rotary())
        all.push_back(
            fmt::format("num_kv_heads is {} and num_heads {}; the cross-attention of an encoder-decoder "
                        "needs as many of one as "
                        "of the other",
                        c.block.kv_heads(), c.block.num_heads));
}

}  // namespace

std::vector<std::string> problems(const TransformerConfig& config) {
    Problems all;
    add_sizes(all, config);
    add_count(all, config);
    add_encoder_parts(all, config);
    add_cross_attention(all, config);
    const Problems of_stack = problems(stack_config(config));
    all.insert(all.end(), of_stack.begin(), of_stack.end());
    return all;
}

const TransformerConfig& require_valid(const std::string& who, const TransformerConfig& config) {
    throw_problems(who, problems(config));
    return config;
}

void require_ids(std::string_view what, const TransformerConfig& config, const Ids& ids, const Offset& offset,
                 const std::optional<Ids>& segment_ids) {
    require_shapes(what, {{"ids", ids, "batch+ seq+"}});
    const Shape shape = shape_of(ids);
    require_offset_of(what, offset, shape[0]);
    const std::size_t before = offset.largest();
    if (before > config.max_len() || shape[1] > config.max_len() - before) {
        throw ValueError(fmt::format(
            "{}: a sequence of {} tokens{} is longer than max_len = {}, the positions that the model knows",
            what, shape[1], before > 0 ? fmt::format(" behind {} others", before) : "", config.max_len()));
    }
    for (const std::int64_t id : ids) require_token(what, "id", config, id);
    if (!segment_ids) return;
    if (config.num_segments == 0)
        throw ValueError(fmt::format("{}: segment_ids are given, but the model has no segments", what));
    require_shapes(what, {{"ids", ids, "batch seq"}, {"segment_ids", *segment_ids, "batch seq"}});
    for (const std::int64_t id : *segment_ids) {
        if (id < 0 || static_cast<std::size_t>(id) >= config.num_segments)
            throw ValueError(
                fmt::format("{}: segment {} is not in 0 ... {}", what, id, config.num_segments - 1));
    }
}

void require_token(std::string_view what, std::string_view name, const TransformerConfig& config,
                   std::int64_t id) {
    if (id >= 0 && static_cast<std::size_t>(id) < config.vocab_size) return;
    throw ValueError(fmt::format("{}: {} {} is not in 0 ... {}: the model knows {} tokens", what, name, id,
                                 config.vocab_size - 1, config.vocab_size));
}

void require_one_sequence(std::string_view what, const TransformerConfig& config) {
    if (config.architecture != Architecture::encoder_decoder) return;
    throw ValueError(
        fmt::format("{}: the model is an encoder-decoder: it takes a source and a target", what));
}

void require_two_sequences(std::string_view what, const TransformerConfig& config) {
    if (config.architecture == Architecture::encoder_decoder) return;
    throw ValueError(fmt::format("{}: the model is {}: it takes one sequence, not a source and a target",
                                 what, name_of(config.architecture)));
}

void require_decoder(std::string_view what, const TransformerConfig& config) {
    if (config.architecture == Architecture::decoder_only) return;
    throw ValueError(fmt::format("{}: the model is {}, but only a decoder continues a text; {}", what,
                                 name_of(config.architecture),
                                 config.architecture == Architecture::encoder_only
                                     ? "the positions of an encoder have seen what they should guess"
                                     : "for an encoder-decoder there is translate_greedy"));
}

void require_gpt(std::string_view what, const TransformerConfig& config) {
    const std::pair<bool, std::string_view> others[] = {
        {config.architecture != Architecture::decoder_only, "an encoder"},
        {config.block.norm_position == NormPosition::post, "post-norm"},
        {!config.final_norm, "a stack without a final norm"},
        {config.block.norm == NormKind::rms_norm, "RMSNorm"},
        {config.block.feed_forward == FeedForwardKind::swiglu, "SwiGLU"},
        {config.block.attention_bias != AttentionBias::all || config.block.feed_forward_bias == Bias::no,
         "linear layers without a bias"},
        {!config.tied_output, "a second table for the output"},
        {config.block.grouped(), "grouped queries"},
        {config.block.uses<NoPositions>(), "a model without positions"},
        {config.block.uses<Sinusoids>(), "sinusoids"},
        {config.block.uses<Alibi>(), "ALiBi"},
        {config.scale_embedding, "a scaled embedding"},
        {config.embedding_norm, "a norm on the embedding"},
        {config.num_segments > 0, "segments"},
        {config.pad_id.has_value(), "a mask for padding"},
    };
    for (const auto& [asked, name] : others) {
        if (asked)
            throw ValueError(
                fmt::format("{}: the config asks for {}, which only Transformer computes", what, name));
    }
}

void require_source_and_target(std::string_view what, const TransformerConfig& config, const Ids& source,
                               const Ids& target, const Offset& offset) {
    require_ids(fmt::format("{}: source", what), config, source);
    require_ids(fmt::format("{}: target", what), config, target, offset);
    require_shapes(what, {{"source", source, "batch source"},
                          {"target", target, "batch target", "each target needs its own source"}});
}

void require_memory(std::string_view what, const TransformerConfig& config, const Memory& memory,
                    const Ids& target) {
    require_shapes(what,
                   {{"memory", memory.output, "batch source d_model", "encode() makes it"},
                    {"target", target, "batch target", "each target needs its own source"}},
                   {{"d_model", config.block.d_model, "the model"}});
}

void require_one_row(std::string_view what, std::string_view name, const Ids& ids) {
    require_shapes(what, {{name, ids, "1 seq+", "it is one sequence"}});
}

void require_room(std::string_view what, const TransformerConfig& config, std::string_view beginning,
                  std::size_t tokens, std::size_t new_tokens) {
    if (tokens <= config.max_len() && new_tokens <= config.max_len() - tokens) return;
    throw ValueError(fmt::format("{}: {} ({} token{}) and {} new ones are more than max_len = {}", what,
                                 beginning, tokens, tokens == 1 ? "" : "s", new_tokens, config.max_len()));
}

void require_length(std::string_view what, std::string_view name, const TransformerConfig& config,
                    std::size_t length) {
    if (length >= 1 && length <= config.max_len()) return;
    throw ValueError(
        fmt::format("{}: {} = {} is not in 1 ... max_len = {}", what, name, length, config.max_len()));
}

void require_logits(std::string_view what, const Tensor& logits) {
    require_shapes(what, {{"logits", logits, "1 seq+ vocab+", "they are of one sequence"}});
    const std::span<const float> last = logits.values().last(logits.size(2));
    const auto nan = std::find_if(last.begin(), last.end(), [](float logit) { return std::isnan(logit); });
    if (nan != last.end()) {
        throw ValueError(
            fmt::format("{}: the logit of token {} at the last position is NaN, so no token has "
                        "the largest; are the weights still finite?",
                        what, nan - last.begin()));
    }
}

void require_hidden(std::string_view what, const TransformerConfig& config, const Tensor& hidden) {
    require_shapes(what, {{"hidden", hidden, "batch+ seq+ d_model"}},
                   {{"d_model", config.block.d_model, "the model"}});
}

StackConfig stack_config(const TransformerConfig& config) {
    return {.block = config.block, .num_layers = config.num_layers, .final_norm = config.final_norm};
}

Ids all_in_segment_0(const Ids& ids) {
    Ids segments = Ids::from_shape(ids.shape());
    std::fill(segments.begin(), segments.end(), 0);
    return segments;
}

namespace {

// Where rows of the batch have different numbers of earlier keys: the columns before the first key of a row are hidden.
std::optional<Mask> keys_that_are_there(const Pass& pass, std::size_t seq) {
    const Offset before = pass.earlier->lengths(pass.layer);
    const std::size_t keys = pass.keys(seq);
    bool equal = true;
    for (std::size_t row = 0; row < before.rows(); ++row) equal = equal && before[row] == before.largest();
    if (equal) return std::nullopt;
    xt::xarray<bool> there = xt::xarray<bool>::from_shape({before.rows(), 1, 1, keys});
    for (std::size_t row = 0; row < before.rows(); ++row)
        for (std::size_t j = 0; j < keys; ++j) there(row, 0, 0, j) = j >= before.largest() - before[row];
    return Mask(std::move(there));  // (batch, 1, 1, key)
}

// Which keys are padding, those of earlier positions included, true = may attend: the caller who keeps keys keeps this, too, as if it
// were a layer more, of width 1. So it is dropped and picked with them.
Mask kept_padding(const TransformerConfig& config, const Ids& ids, const Pass& pass) {
    if (pass.earlier->lengths(pass.layer).largest() == 0)
        (void)padding_mask(ids, *config.pad_id);  // refuses a text of padding alone
    Array own = make_array({ids.shape()[0], 1, ids.shape()[1], 1});
    std::transform(ids.begin(), ids.end(), own.data(),
                   [&](std::int64_t id) { return id == *config.pad_id ? 1.0f : 0.0f; });
    const Tensor is_padding(std::move(own));
    const Tensor all =
        pass.earlier->append(config.num_layers, {is_padding, is_padding}).keys;  // (batch, 1, key, 1)
    xt::xarray<bool> allowed = make_array<bool>({all.size(0), 1, 1, all.size(2)});
    std::transform(all.values().begin(), all.values().end(), allowed.begin(),
                   [](float padding) { return padding == 0.0f; });
    return Mask(std::move(allowed));
}

}  // namespace

std::optional<Mask> padding_of(const TransformerConfig& config, const Ids& ids, const Pass& pass) {
    if (!pass.earlier) return config.pad_id ? std::optional(padding_mask(ids, *config.pad_id)) : std::nullopt;
    const std::optional<Mask> there = keys_that_are_there(pass, ids.shape()[1]);
    std::optional<Mask> padding = pass.padding;
    if (!padding && config.pad_id) padding = kept_padding(config, ids, pass);
    if (!there || !padding) return there ? there : padding;
    return *there & *padding;
}

Ids one_token(std::int64_t token) {
    Ids ids = Ids::from_shape({1, 1});
    ids.data()[0] = token;
    return ids;
}

Ids appended(const Ids& ids, std::int64_t token) {
    Ids longer = Ids::from_shape({1, ids.size() + 1});
    std::copy(ids.begin(), ids.end(), longer.begin());
    longer.data()[ids.size()] = token;
    return longer;
}

}  // namespace tfs
