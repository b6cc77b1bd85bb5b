// chapters/11_generation/models/writing.cpp · a text is written; all that it calls of the steps is `sample` and the cache
#include <fmt/format.h>

#include <map>
#include <string>
#include <tuple>

#include "chapters/01_attention/attention.hpp"
#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/11_generation/given/generation.hpp"
#include "chapters/11_generation/models/texts.hpp"

namespace tfs {

Offset TextCache::lengths(std::size_t layer) const {
    const auto found = layers.find(layer);
    return found == layers.end() ? 0 : found->second.keys.size(2);
}

namespace {

// Of this model's positions, made once for all of its texts.
const RotaryEmbedding& angles_of(const BlockConfig& c) {
    thread_local std::map<std::tuple<std::size_t, std::size_t, double>, RotaryEmbedding> made;
    const std::size_t d_k = c.d_model / c.num_heads;
    return made.try_emplace({d_k, c.max_len, c.rotary()->theta}, d_k, c.max_len, c.rotary()->theta)
        .first->second;
}

// As Gpt::block, with a cache.
Tensor cached_block(const Gpt& gpt, std::size_t i, const Tensor& x, TextCache& cache) {
    const std::string attention = fmt::format("blocks.{}.attention.", i),
                      network = fmt::format("blocks.{}.feed_forward.", i);
    const BlockConfig& c = gpt.config.block;
    const Tensor in = gpt.norm(attention + "norm", x);  // (1, seq, d_model)
    const auto heads_of = [&](const char* name) {
        return split_heads(gpt.linear(attention + name, in), c.num_heads);  // (1, heads, seq, d_k)
    };
    const Tensor seen = cached_attention(cache, i, heads_of("w_q"), heads_of("w_k"), heads_of("w_v"),
                                         angles_of(c), c.rotary()->layout);
    const Tensor sum = x + gpt.linear(attention + "w_o", merge_heads(seen));
    const Tensor up = gpt.linear(network + "up", gpt.norm(network + "norm", sum));
    return sum + gpt.linear(network + "down", activate(c.activation, up));
}

}  // namespace

Tensor cached_logits(const Gpt& gpt, const Ids& newest, TextCache& cache) {
    if (!gpt.config.block.rotary())
        throw ValueError("cached_logits: learned positions would begin at 0 in each pass");
    Tensor x = gpt.rows(newest);
    for (std::size_t i = 0; i < gpt.config.num_layers; ++i) x = cached_block(gpt, i, x, cache);
    return gpt.logits(x);
}

Generated write_text(const LanguageModel& model, const TokenIds& prompt, const GenerationOptions& options,
                     Rng& rng) {
    require_prompts("write_text", model, {prompt}, options);
    const NoGrad no_grad;
    TextCache cache;
    Texts texts({prompt}, model, options);
    TokenIds unread = prompt;
    while (texts.goes_on(0)) {
        const Tensor logits =
            model.logits(one_row(unread), {.offset = cache.length(), .earlier = &cache});  // (1, seq, vocab)
        const auto p = texts.probabilities(texts.text(0), logits_at(logits, 0, unread.size() - 1));
        unread = {sample(p, rng)};
        texts.add(0, unread[0]);
    }
    return texts.result()[0];
}

}  // namespace tfs
