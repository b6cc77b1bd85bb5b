// chapters/08_encoder_decoder/models/model_kinds.cpp
#include "chapters/08_encoder_decoder/models/model_kinds.hpp"

#include <algorithm>
#include <cmath>

#include "chapters/07_block/models/it_reader.hpp"

namespace tfs {

namespace {

// Padding and start, which no text has, and all characters of all forms and answers.
Tokenizer date_tokenizer() {
    Tokens tokens = {"?", "?"};
    for (const std::string& character : characters_of(" '-,./0123456789ADFJMNOSTWabcdefghilmnoprstuvy"))
        tokens.push_back(character);
    return {Cut::characters, tokens, {.padding = date_padding, .start = date_start}};
}

}  // namespace

const ModelKind& character_kind() {
    static const ModelKind kind{.name = "a character model",
                                .entries = {"layers", "d_model", "heads", "context", "characters"},
                                .otherwise = {.positions = PositionKind::learned},
                                .other_positions = {PositionKind::rotary}};
    return kind;
}

const ModelKind& date_kind() {
    static const ModelKind kind{.name = "a date reader",
                                .entries = {"layers", "heads"},
                                .otherwise = {.d_model = 64,
                                              .max_len = 28,  // "Wednesday, 22 September 2021"
                                              .positions = PositionKind::sinusoidal,
                                              .two_sequences = true,
                                              .scaled_embedding = true},
                                .tokenizer = date_tokenizer()};
    return kind;
}

DateTranslator::DateTranslator(const Tokenizer& tokens, const ModelConfig& sizes, Rng& rng)
    : config(sizes),
      tokenizer(tokens),
      embedding(tokens.size(), sizes.d_model, rng),
      positions(sizes.d_model, sizes.max_len),
      model({.block = block_config(sizes), .num_layers = sizes.layers}, rng) {}

Tensor DateTranslator::embed(const Ids& ids) const {
    return positions(embedding(ids) * std::sqrt(static_cast<float>(config.d_model)));
}

Parameters DateTranslator::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    append(all, "", model.parameters());
    return all;
}

CrossStackOutput date_maps(const DateTranslator& dates, const std::string& text, const std::string& answer) {
    const NoGrad no_grad;
    const Memory memory = dates.model.encode(dates.embed(dates.tokenizer.encode(text, dates.config.max_len)));
    Ids target = dates.tokenizer.encode(answer, dates.config.max_len);
    std::copy_backward(target.begin(), target.end() - 1, target.end());  // the last one is read by nobody
    target(0, 0) = date_start;
    return dates.model.decode(dates.embed(target), memory, std::nullopt, with_weights);
}

}  // namespace tfs
