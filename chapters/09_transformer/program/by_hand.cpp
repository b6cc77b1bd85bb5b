// chapters/09_transformer/program/by_hand.cpp · the example for pencil and paper: three tokens, two features, tied logits
#include <fmt/ostream.h>

#include "chapters/09_transformer/program/sections.hpp"

namespace tfs {

void show_tied_logits_by_hand(Show& show) {
    const NoGrad no_grad;
    const std::vector<std::string> words{"cat", "sat", "on"};
    Rng none = Rng::zeros();
    Transformer model(
        {.vocab_size = 3,
         .num_layers = 1,
         .block = {.d_model = 2, .num_heads = 1, .d_ff = 2, .positions = Sinusoids{}, .max_len = 2},
         .scale_embedding = false},
        none);
    model.embedding.weight = Tensor::from({3, 2}, {2, 0, 0, 2, 1, 1});
    const auto& rows = model.embedding.weight;
    const Tensor itself = model.logits(Tensor::from({1, 1, 2}, {2, 0}));
    const Tensor next = model.logits(Tensor::from({1, 1, 2}, {1, 2}));
    const Tensor chances = softmax(next);
    fmt::print(show.out, "  {:<6} {:<10} {:>16} {:>16} {:>13}\n", "token", "its row", "logit at (2, 0)",
               "logit at (1, 2)", "probability");
    for (std::size_t i = 0; i < words.size(); ++i)
        fmt::print(show.out, "  {:<6} ({:g}, {:g}) {:>19g} {:>16g} {:>13.3f}\n", words[i],
                   rows.values()[2 * i], rows.values()[2 * i + 1], itself.values()[i], next.values()[i],
                   chances.values()[i]);
}

}  // namespace tfs
