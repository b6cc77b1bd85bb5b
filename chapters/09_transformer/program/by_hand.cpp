// chapters/09_transformer/program/by_hand.cpp · the example for pencil and paper: three tokens, two features, tied logits
#include <fmt/format.h>

#include "chapters/09_transformer/program/options.hpp"

namespace tfs {

namespace {

Report show_tied_logits(const Request&) {
    const NoGrad no_grad;
    const Tokens words{"cat", "sat", "on"};
    Rng none = Rng::zeros();
    Transformer model(
        {.vocab_size = 3,
         .num_layers = 1,
         .block = {.d_model = 2, .num_heads = 1, .d_ff = 2, .positions = Sinusoids{}, .max_len = 2},
         .scale_embedding = false},
        none);
    model.embedding.weight = Tensor::from({3, 2}, {2, 0, 0, 2, 1, 1});
    const auto rows = model.embedding.weight.values();
    const Tensor itself = model.logits(Tensor::from({1, 1, 2}, {2, 0}));
    const Tensor next = model.logits(Tensor::from({1, 1, 2}, {1, 2}));
    const Tensor chances = softmax(next);
    Table table{.columns = {{"token"},
                            {"its row"},
                            {"logit at (2, 0)", whole()},
                            {"logit at (1, 2)", whole()},
                            {"probability", fixed(3)}}};
    for (std::size_t i = 0; i < words.size(); ++i)
        table.add({words[i], fmt::format("({:g}, {:g})", rows[2 * i], rows[2 * i + 1]), itself.values()[i],
                   next.values()[i], chances.values()[i]});
    Report report;
    report.add(table);
    return report;
}

}  // namespace

Sections by_hand_sections() {
    return {{"by-hand", "By hand: logits from a table of three rows", show_tied_logits}};
}

}  // namespace tfs
