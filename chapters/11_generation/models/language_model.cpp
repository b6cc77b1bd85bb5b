// chapters/11_generation/models/language_model.cpp · models of chapter 09 as what generate() asks, and what their cache says of itself
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

// --- what a cache says of itself; its table of functions calls step key_value_cache

KeyValueCache::KeyValueCache(std::size_t positions, std::optional<std::size_t> newest)
    : capacity(newest ? std::min(positions, *newest) : positions), window(newest) {
    if (positions == 0 || newest == 0u)
        throw ValueError("KeyValueCache: it must have room for at least one position");
}

Offset KeyValueCache::lengths(std::size_t layer) const {
    if (layer >= layers.size() || layers[layer].kept.empty()) return 0;
    std::vector<std::size_t> seen_by_next = layers[layer].kept;
    if (window)
        for (std::size_t& count : seen_by_next) count = std::min(count, capacity - 1);
    return seen_by_next;
}

Offset KeyValueCache::next_position() const {
    return layers.empty() || layers[0].seen.empty() ? Offset(0) : Offset(layers[0].seen);
}

std::size_t KeyValueCache::bytes() const {
    std::size_t floats = 0;
    for (const CachedLayer& layer : layers) floats += layer.keys.size() + layer.values.size();
    return floats * sizeof(float);
}

}  // namespace tfs
