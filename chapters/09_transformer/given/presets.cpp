// chapters/09_transformer/given/presets.cpp · well-known and small models, what a model costs, and the two layers of the induction model
#include "chapters/09_transformer/given/transformer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "chapters/09_transformer/cost.hpp"
#include "chapters/09_transformer/transformer.hpp"
#include "common/base/array.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

namespace {

BlockConfig with_positions(BlockConfig block, const PositionChoice& positions, std::size_t max_len) {
    block.positions = positions;
    block.max_len = max_len;
    return block;
}

// Vaswani et al. 2017, base: one table for source, target and output (section 3.4), of about 37,000 tokens
// (5.1). No norm after the last post-norm block (figure 1). Sinusoids have no end; 512 positions are
// computed.
TransformerConfig original() {
    return {.architecture = Architecture::encoder_decoder,
            .vocab_size = 37000,
            .num_layers = 6,
            .block = with_positions(original_block(), Sinusoids{}, 512),
            .final_norm = false};
}

// Devlin et al. 2019, base, uncased, without the heads that it was trained with.
TransformerConfig bert_base() {
    return {.architecture = Architecture::encoder_only,
            .vocab_size = 30522,
            .num_layers = 12,
            .block = with_positions(bert_block(), LearnedPositions{}, 512),
            .scale_embedding = false,
            .final_norm = false,
            .embedding_norm = true,
            .num_segments = 2,
            .pooler = true,
            .pad_id = 0};
}

TransformerConfig gpt2() {  // Radford et al. 2019, the smallest of four
    return {.vocab_size = 50257,
            .num_layers = 12,
            .block = with_positions(gpt2_block(), LearnedPositions{}, 1024),
            .scale_embedding = false};
}

// Rotary positions, no factor on the embedding, logits with a table of their own.
TransformerConfig rotary_decoder(std::size_t vocab_size, const BlockConfig& block,
                                 std::size_t num_layers = 32) {
    return {.vocab_size = vocab_size,
            .num_layers = num_layers,
            .block = block,
            .scale_embedding = false,
            .tied_output = false};
}

// Pre-norm, GELU, sinusoids.
const BlockConfig small_block{
    .d_model = 64, .num_heads = 4, .d_ff = 256, .positions = Sinusoids{}, .max_len = 128};

// The small ones: d_model 64, 4 heads, 2 layers; their user sets vocab_size.
TransformerConfig small(Architecture architecture, const BlockConfig& block) {
    TransformerConfig config{.architecture = architecture, .vocab_size = 64, .num_layers = 2, .block = block};
    config.block.dropout = 0.1;
    return config;
}

TransformerConfig tiny_encoder() {  // BERT's kind
    TransformerConfig config = small(Architecture::encoder_only,
                                     with_positions(post_norm_gelu_block(64, 4), LearnedPositions{}, 128));
    config.scale_embedding = false;
    config.final_norm = false;
    config.embedding_norm = true;
    config.num_segments = 2;
    config.pooler = true;
    config.pad_id = 0;
    return config;
}

TransformerConfig tiny_llama() {
    const BlockConfig block = llama_block(64, 4, swiglu_hidden_size(4 * 64, 4), 128);
    TransformerConfig config = small(Architecture::decoder_only, block);
    config.scale_embedding = false;
    config.tied_output = false;
    config.block.dropout = 0.0;
    return config;
}

TransformerConfig tiny_encoder_decoder() {  // the original's kind, pre-norm
    TransformerConfig config = small(Architecture::encoder_decoder, small_block);
    config.pad_id = 0;
    return config;
}

// The Transformer of textbooks, that of 2017, at a size that runs at once: post-norm, ReLU, sinusoids, dropout 0.1.
TransformerConfig textbook() {
    BlockConfig block = with_positions(original_block(), Sinusoids{}, 128);
    block.d_model = 64, block.num_heads = 4, block.d_ff = 256;
    TransformerConfig config = small(Architecture::encoder_decoder, block);
    config.final_norm = false;
    config.pad_id = 0;
    return config;
}

using Preset = std::pair<const char*, TransformerConfig (*)()>;
const Preset presets[] = {
    {"original", original},
    {"bert-base", bert_base},
    {"gpt2", gpt2},
    {"llama-7b", [] { return rotary_decoder(32000, llama_block()); }},
    {"qwen-7b", [] { return rotary_decoder(151936, with_positions(qwen_block(), Rotary{}, 8192)); }},
    {"llama3-8b", [] { return rotary_decoder(128256, llama3_block()); }},
    {"tinyllama-1.1b", [] { return rotary_decoder(32000, tinyllama_block(), 22); }},
    {"tiny-encoder", tiny_encoder},
    {"tiny-decoder", [] { return small(Architecture::decoder_only, small_block); }},
    {"tiny-llama", tiny_llama},
    {"tiny-encoder-decoder", tiny_encoder_decoder},
    {"textbook", textbook},
};

}  // namespace

TransformerConfig preset(const std::string& name) {
    for (const auto& [known, config] : presets)
        if (name == known) return config();
    throw ValueError(
        fmt::format("there is no model '{}'; there are: {}", name, fmt::join(preset_names(), ", ")));
}

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const auto& [name, config] : presets) names.emplace_back(name);
    return names;
}

namespace {

using Parts = std::vector<PartCost>;

// The lines of one sum of embeddings, (batch, seq, d_model) each. `kept` results of that shape lie on the
// tape.
struct EmbeddingLines {
    const TransformerConfig& config;
    std::string name;
    std::size_t batch, seq;
    Parts parts = {};

    PartCost& add(const char* part, std::size_t kept = 1) {
        parts.push_back(part_with_result(join_path(name, part), {batch, seq, config.block.d_model},
                                         {"batch", "seq", "d_model"}, kept));
        return parts.back();
    }

    // Of the tables, `shared` ones are counted where they come first.
    Parts lines(bool shared) {
        const std::size_t d_model = config.block.d_model;
        const auto owned = [&](PartCost& part, std::size_t parameters) {
            part.parameters = shared ? 0 : parameters;
            if (shared && parameters > 0) part.note = "the table of the source";
        };
        owned(add("token"), config.vocab_size * d_model);
        if (config.scale_embedding) add("scaled").note = "x sqrt(d_model)";
        if (config.block.uses<Sinusoids>()) add("positions").note = "sinusoids";
        if (config.block.uses<LearnedPositions>()) {
            owned(add("positions"), config.max_len() * d_model);
            parts.back().bytes += sizeof(float) * seq * d_model;  // its rows, the same for all of the batch
        }
        if (config.num_segments > 0) owned(add("segments", 2), config.num_segments * d_model);
        if (config.embedding_norm) {
            parts.push_back(norm_cost(config.block, join_path(name, "norm"), batch, seq));
            owned(parts.back(), parts.back().parameters);
        }
        return parts;
    }
};

PartCost pooler_line(const TransformerConfig& c, std::size_t batch) {
    const std::size_t d_model = c.block.d_model;
    PartCost cost = part_with_result("pooler", {batch, d_model}, {"batch", "d_model"},
                                     3);  // cut out, projected, tanh
    cost.parameters = d_model * d_model + d_model;
    cost.flops = checked_product({2, batch, d_model, d_model});
    return cost;
}

PartCost logits_line(const TransformerConfig& c, std::size_t batch, std::size_t seq) {
    const std::size_t d_model = c.block.d_model;
    PartCost cost = part_with_result("logits", {batch, seq, c.vocab_size}, {"batch", "seq", "vocab"});
    cost.parameters = c.tied_output ? 0 : c.vocab_size * d_model;
    cost.flops = checked_product({2, batch, seq, d_model, c.vocab_size});
    cost.note = c.tied_output ? "tied: the table of the tokens" : "";
    return cost;
}

}  // namespace

std::vector<PartCost> transformer_costs(const TransformerConfig& config, std::size_t batch, std::size_t seq,
                                        std::size_t target) {
    require_valid("transformer_costs", config);
    require_length("transformer_costs", "seq", config, seq);
    const StackConfig stack = stack_config(config);
    Parts all;
    if (config.architecture == Architecture::encoder_decoder) {
        require_length("transformer_costs", "target", config, target);
        append(all, EmbeddingLines{config, "source", batch, seq}.lines(false));
        append(all, stack_costs(stack, "encoder", batch, seq));
        append(all, EmbeddingLines{config, "target", batch, target}.lines(true));
        append(all, cross_stack_costs(stack, "decoder", batch, seq, target));
        all.push_back(logits_line(config, batch, target));
        return all;
    }
    append(all, EmbeddingLines{config, "embedding", batch, seq}.lines(false));
    append(all, stack_costs(stack, "", batch, seq));
    if (config.pooler) all.push_back(pooler_line(config, batch));
    all.push_back(logits_line(config, batch, seq));
    return all;
}

namespace {

constexpr std::size_t vocab = InductionModel::vocab_size, width = InductionModel::d_model;

void require_text(const Ids& ids) {
    if (ids.dimension() != 2 || ids.shape(0) != 1 || ids.size() == 0 || ids.size() > InductionModel::max_len)
        throw ValueError(fmt::format("induction model: the text must be (1, 1 ... {}), not {}",
                                     InductionModel::max_len, to_string(shape_of(ids))));
    for (const std::int64_t id : ids)
        if (id < 0 || id >= static_cast<std::int64_t>(vocab))
            throw ValueError(fmt::format("induction model: id {} is not in 0 ... {}", id, vocab - 1));
}

// The token, 16 free columns, the position: (1, 1, seq, d_model), one head of one text.
Tensor embedded(const Ids& ids) {
    const std::size_t seq = ids.size();
    Array tokens = Tensor::zeros({seq, 2 * vocab}).array();
    for (std::size_t i = 0; i < seq; ++i) tokens(i, static_cast<std::size_t>(ids.data()[i])) = 1.0f;
    const SinusoidalPositionalEncoding positions(InductionModel::d_position, InductionModel::max_len);
    return reshape(concat({Tensor(std::move(tokens)), slice(positions.table, 0, 0, seq)}, 1),
                   {1, 1, seq, width});
}

AttentionOutput attend(const HandMadeLayer& layer, const Tensor& x) {
    require_shapes("induction model",
                   {{"w_q", layer.w_q, "width width"},
                    {"w_k", layer.w_k, "width width"},
                    {"w_v", layer.w_v, "width width"}},
                   {{"width", width, "the model"}});
    return scaled_dot_product_attention(linear(x, Tensor(layer.w_q)), linear(x, Tensor(layer.w_k)),
                                        linear(x, Tensor(layer.w_v)), causal_mask(x.size(-2)));
}

Array as_table(const Tensor& x) { return reshape(x, {x.size(-2), x.size(-1)}).array(); }

HandMadeLayer zeros() {
    const Array none = Tensor::zeros({width, width}).array();
    return {none, none, none};
}

}  // namespace

InductionModel::InductionModel() : first(zeros()), second(zeros()) {}

InductionRun run_induction(const InductionModel& model, const Ids& ids) {
    require_text(ids);
    const NoGrad no_grad;
    const std::size_t seq = ids.size();
    const Tensor x = embedded(ids);
    const AttentionOutput first = attend(model.first, x);
    const Tensor after_first = x + first.output;
    const AttentionOutput second = attend(model.second, after_first);
    const Tensor logits = slice(after_first + second.output, 3, 0, vocab);  // times the rows of the embedding
    return {reshape(logits, {1, seq, vocab}), as_table(after_first), as_table(first.weights),
            as_table(second.weights)};
}

}  // namespace tfs
