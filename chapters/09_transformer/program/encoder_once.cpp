// chapters/09_transformer/program/encoder_once.cpp · an encoder that runs once, or anew for every token
#include <fmt/format.h>

#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

// Whether an encoder that runs anew for each token of the target gives the same token.
bool same_anew(const Transformer& model, const Ids& source, const Ids& target) {
    Ids so_far = one_token(target(0, 0));
    for (std::size_t i = 1; i < target.size(); ++i) {
        if (greedy_token(model(source, so_far).logits) != target(0, i)) return false;
        so_far = appended(so_far, target(0, i));
    }
    return true;
}

Report show_encoder_once(const Request& request) {
    const NoGrad no_grad;
    const std::uint64_t seed = request[options::seed];
    const Transformer model = small_model(preset("tiny-encoder-decoder"), seed);
    const Ids source = small_text(seed + 5, 12);
    Report report;
    report.note(fmt::format("tiny-encoder-decoder, 20 tokens, encoded once or anew for each: the same: {}",
                            same_anew(model, source, translate_greedy(model, source, 1, 20)) ? "yes" : "NO"));
    return report;
}

}  // namespace

Sections encoder_once_sections() {
    return {{"encoder-once", "The encoder runs once", show_encoder_once, {options::seed}, Level::deeper}};
}

}  // namespace tfs
