// tests/11_generation/cached_logits.cpp · models of chapter 09 that write, and their logits in a window
#include "tests/11_generation/cached_logits.hpp"

#include <variant>

#include "chapters/02_masks/masks.hpp"
#include "chapters/11_generation/given/prompts.hpp"

namespace tfs::test {

LanguageModel NamedWriter::reads() const {
    return is_translator() ? language_model(model, Ids{{7, 2, 5, 9, 4}}) : language_model(model);
}

std::vector<NamedWriter> named_writers() {
    const std::vector<std::string> names{"no positions",     "sinusoids", "learned positions",
                                         "rotary positions", "ALiBi",     "grouped queries"};
    std::vector<NamedWriter> all;
    for (const Transformer& model : writers()) all.push_back({names.at(all.size()), model});
    TransformerConfig config = writer_config(Sinusoids{});
    config.architecture = Architecture::encoder_decoder;
    Rng rng(2);
    all.push_back({"encoder-decoder", Transformer(config, rng)});
    return all;
}

Tensor logits_in_window(const Transformer& decoder, const TokenIds& text, std::size_t window) {
    const NoGrad no_grad;
    const Stack& stack = std::get<Stack>(decoder.stack);
    Tensor x = decoder.embed(columns({text}, 0, text.size()));
    for (const TransformerBlock& block : stack.blocks)
        x = block(x, sliding_window_mask(text.size(), window)).output;
    if (stack.final_norm) x = (*stack.final_norm)(x);
    return reshape(decoder.logits(x), {text.size(), decoder.config.vocab_size});
}

}  // namespace tfs::test
