// chapters/09_transformer/program/walk.hpp · a model runs on a text: shapes, maps, scores, and what it writes
#pragma once

#include <optional>
#include <string>

#include "chapters/09_transformer/transformer.hpp"
#include "common/figures/figure.hpp"
#include "common/show/trace.hpp"
#include "common/text/words.hpp"

namespace tfs {

// The tokens of a text, numbered after three tokens that no text has.
struct TextIds {
    std::vector<std::string> words;  // words[id]: "<pad>", "<start>", "<end>", then those of the text
    Ids ids;                         // (1, seq)
    Tokens tokens;

    static constexpr std::int64_t pad = 0, start = 1, end = 2;
};
TextIds number_tokens(const Tokens& tokens);

// What one run of a model gives, and how its maps are named.
struct Walk {
    TransformerOutput output;
    std::vector<Tensor> encoder_weights;  // of an encoder-decoder
};

// Shapes from ids to logits, traced. An encoder-decoder reads the text and writes it after <start>.
Walk trace_model(Trace& trace, const Transformer& model, const TextIds& text);

// The token that each position gives the largest logit, and its probability.
void print_guesses(std::ostream& out, const TransformerOutput& run, const TextIds& text);

// All layers and heads in one sheet: a row for each layer.
HeatMapFigure draw_maps(const Walk& walk, const Transformer& model, const TextIds& text,
                        const std::string& name);

// The probabilities of all tokens at each position.
HeatMapFigure draw_scores(const TransformerOutput& run, const TextIds& text, const std::string& name);

// Greedy generation, and how soon it repeats itself.
void write_on(std::ostream& out, const Transformer& model, const TextIds& text, std::size_t new_tokens);

}  // namespace tfs
