// chapters/10_training/models/character_heads.hpp · how much a head looks at the character before, and how much it finds repetitions
#pragma once

#include <array>
#include <vector>

#include "chapters/09_transformer/models/text_transformer.hpp"

namespace tfs {

// Means of attention weights of one head (Olsson et al. 2022, "In-context Learning and Induction Heads", arXiv:2209.11895).
struct HeadScores {
    std::size_t layer = 0, head = 0;  // from 0
    std::array<double, 3> back =
        {};                  // of a position to the one before it, the second one before it, the third
    double induction = 0.0;  // of a character that was seen before to the one that came after it then
};
struct CharacterHeads {
    std::vector<HeadScores> heads;              // layer after layer
    std::array<double, 3> back_by_chance = {};  // the scores of a head that spreads its weight evenly
    double induction_by_chance = 0.0;
    double bits_of_first = 0.0, bits_of_second = 0.0;  // per character, of the first and the second copy

    [[nodiscard]] const HeadScores& most_previous() const;
    [[nodiscard]] const HeadScores& most_induction() const;
};

// The mean weight of position i to position i - back, i >= back: weights (batch, heads, query, key). A previous-token head has
// nearly 1 for back = 1.
[[nodiscard]] double back_score(const Tensor& weights, std::size_t head, std::size_t back);
// Of a sequence of 2 n tokens whose second half is its first half again, and in which no token is twice in a half: the mean
// weight of position n + i to position i + 1, i = 0 … n - 1. Position i + 1 holds what came after this token.
[[nodiscard]] double induction_score(const Tensor& weights, std::size_t head);

// back: over windows (batch, seq) of a text. induction: over `count` sequences of different characters drawn at random,
// each written twice; as long as the context and the number of characters allow. ValueError if that is less than 2, or a window
// is shorter than 4.
[[nodiscard]] CharacterHeads score_heads(const TextTransformer& model, const Ids& windows, std::size_t count,
                                         Rng& rng);

}  // namespace tfs
