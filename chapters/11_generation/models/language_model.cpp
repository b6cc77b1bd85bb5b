// chapters/11_generation/models/language_model.cpp · models of chapter 09 as models that write
#include <algorithm>
#include <map>
#include <memory>

#include "chapters/09_transformer/given/transformer.hpp"
#include "chapters/11_generation/generation.hpp"

namespace tfs {

LanguageModel language_model(const Transformer& decoder) {
    require_decoder("language_model", decoder.config);
    return {
        .vocab_size = decoder.config.vocab_size,
        .max_len = decoder.config.max_len(),
        .logits = [&decoder](const Ids& tokens, const Pass& pass) { return decoder(tokens, pass).logits; }};
}

namespace {

// The same source in each row.
Ids repeated(const Ids& source, std::size_t rows) {
    Ids all = Ids::from_shape({rows, source.size()});
    for (std::size_t row = 0; row < rows; ++row)
        std::copy(source.begin(), source.end(),
                  all.begin() + static_cast<std::ptrdiff_t>(row * source.size()));
    return all;
}

}  // namespace

LanguageModel language_model(const Transformer& model, const Ids& source) {
    require_two_sequences("language_model", model.config);
    require_one_row("language_model", "source", source);
    // The encoder runs once for each number of rows that the decoder has: they are few.
    const auto memories = std::make_shared<std::map<std::size_t, Memory>>();
    return {.vocab_size = model.config.vocab_size,
            .max_len = model.config.max_len(),
            .logits = [&model, source, memories](const Ids& tokens, const Pass& pass) {
                const std::size_t rows = tokens.shape()[0];
                if (!memories->contains(rows)) memories->emplace(rows, model.encode(repeated(source, rows)));
                return model.decode(tokens, memories->at(rows), pass).logits;
            }};
}

}  // namespace tfs
