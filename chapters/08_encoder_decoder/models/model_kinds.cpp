// chapters/08_encoder_decoder/models/model_kinds.cpp · two kinds of weight files: a model that writes, one that reads dates
#include "chapters/08_encoder_decoder/models/model_kinds.hpp"

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

}  // namespace tfs
