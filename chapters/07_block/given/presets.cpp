// chapters/07_block/given/presets.cpp · the blocks of well-known models, and blocks for experiments
#include "chapters/07_block/block.hpp"

namespace tfs {

BlockConfig original_block() {
    return {.d_model = 512,
            .num_heads = 8,
            .d_ff = 2048,
            .norm_position = NormPosition::post,
            .activation = Activation::relu,
            .attention_bias = AttentionBias::none,  // W_Q, W_K, W_V, W_O are matrices alone in the paper
            .dropout = 0.1};
}

BlockConfig bert_block() { return {.norm_position = NormPosition::post, .norm_eps = 1e-12f, .dropout = 0.1}; }

BlockConfig gpt2_block() { return {.activation = Activation::gelu_tanh, .dropout = 0.1}; }

BlockConfig llama_block(std::size_t d_model, std::size_t num_heads, std::size_t d_ff, std::size_t max_len) {
    return {.d_model = d_model,
            .num_heads = num_heads,
            .d_ff = d_ff,
            .norm = NormKind::rms_norm,
            .norm_eps = 1e-6f,
            .feed_forward = FeedForwardKind::swiglu,
            .attention_bias = AttentionBias::none,
            .positions = Rotary{},
            .max_len = max_len};
}

// 11008 is swiglu_hidden_size(4 * 4096, 256): --help lists these models before any step is written.
BlockConfig llama_block() { return llama_block(4096, 32, 11008, 2048); }

BlockConfig qwen_block() {
    BlockConfig config = llama_block();
    config.attention_bias = AttentionBias::qkv;
    return config;
}

BlockConfig llama3_block() {
    BlockConfig config = llama_block(4096, 32, 14336, 8192);
    config.num_kv_heads = 8;
    config.norm_eps = 1e-5f;
    config.positions = Rotary{.theta = 500000.0};
    return config;
}

BlockConfig tinyllama_block() {
    BlockConfig config = llama_block(2048, 32, 5632, 2048);
    config.num_kv_heads = 4;
    config.norm_eps = 1e-5f;
    return config;
}

BlockConfig pre_norm_block(std::size_t d_model, std::size_t num_heads, std::size_t d_ff) {
    return {.d_model = d_model,
            .num_heads = num_heads,
            .d_ff = d_ff,
            .norm_position = NormPosition::pre,
            .norm_eps = 1e-6f,
            .activation = Activation::relu};
}

BlockConfig post_norm_gelu_block(std::size_t d_model, std::size_t num_heads, std::size_t multiplier) {
    return {.d_model = d_model,
            .num_heads = num_heads,
            .d_ff = multiplier * d_model,
            .norm_position = NormPosition::post,
            .dropout = 0.1};
}

}  // namespace tfs
