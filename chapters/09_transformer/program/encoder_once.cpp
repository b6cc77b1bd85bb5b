// chapters/09_transformer/program/encoder_once.cpp · an encoder that runs once, or anew for every token
#include "chapters/09_transformer/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/09_transformer/given/parts.hpp"
#include "chapters/09_transformer/program/small_models.hpp"

namespace tfs {

namespace {

// translate_greedy with an encoder that runs at every token.
Ids translate_anew(const Transformer& model, const Ids& source, std::size_t new_tokens) {
    Ids target = one_token(1);
    for (std::size_t i = 0; i < new_tokens; ++i)
        target = appended(target, greedy_token(model(source, target).logits));
    return target;
}

}  // namespace

void measure_encoder_once(Show& show) {
    const NoGrad no_grad;
    const std::uint64_t seed = show.options.seed;
    const Transformer model = small_model(preset("tiny-encoder-decoder"), seed);
    const Ids source = small_text(seed + 5, 12);
    fmt::print(show.out, "  tiny-encoder-decoder, 20 tokens, encoded once or anew for each: the same: {}\n",
               translate_greedy(model, source, 1, 20) == translate_anew(model, source, 20) ? "yes" : "NO");
}

}  // namespace tfs
