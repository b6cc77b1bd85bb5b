// chapters/09_transformer/given/presets.cpp · published models, and small ones that run at once, given
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "chapters/09_transformer/transformer.hpp"

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

}  // namespace tfs
