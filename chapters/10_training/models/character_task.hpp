// chapters/10_training/models/character_task.hpp · the decoder of characters: how it begins, a short training, and what is measured of it
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/10_training/models/corpus.hpp"
#include "common/io/weights.hpp"

namespace tfs {

// The sizes of the model of the task "characters".
[[nodiscard]] ModelConfig character_config();

// Draws all parameters of a stack of `layers` pre-norm blocks anew (Radford et al. 2019, section 2.3, and their code):
//   weights   N(0, 0.02²); those of the two projections of a block that are added to the residual stream, w_o and down,
//             N(0, 0.02² / (2 layers)), so that the sum of the 2 layers additions has the size of one
//   biases 0 · gamma 1 · beta 0
// ValueError if layers is 0, or a parameter is none of these.
void draw_initial_values(Parameters parameters, std::size_t layers, Rng& rng);

// A new decoder of these characters and sizes, with these values.
[[nodiscard]] TextTransformer new_writer(const Tokenizer& characters, const ModelConfig& sizes,
                                         std::uint64_t seed);

// A smaller one of these, that is trained within minutes. The rate warms up over 100 steps, and falls to a twentieth of its peak.
struct ShortTraining {
    ModelConfig config{
        .layers = 2, .d_model = 128, .heads = 4, .max_len = 64, .positions = PositionKind::rotary};
    std::size_t steps = 3000, batch_size = 32;
    double rate = 4e-3;
};
// Trains it with text_batch, learning_rate and training_step alone. `told` is called after each step, and returns whether to go on.
void train(const TextTransformer& writer, const Corpus& corpus, const ShortTraining& plan,
           const std::function<bool(std::size_t step, double loss)>& told);

// How it goes on from a text, character by character: the likeliest one; or where there is an Rng, drawn with its probability, for which
// chapter 11 takes more care. It sees as many characters as it has learned to.
[[nodiscard]] std::string written(const TextTransformer& writer, const std::string& begin, std::size_t count,
                                  Rng* chance = nullptr);

// At most so many characters of the held-out part are asked.
constexpr std::size_t most_asked = 120'000;

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

// The scores of all heads, over 128 windows of the held-out part and 128 repeated sequences, the same ones at each call.
[[nodiscard]] CharacterHeads heads_of(const TextTransformer& model, const Corpus& corpus);

// How well the first `count` held-out characters are guessed, in bits a character, if the final norm and the logits read what enters
// the first block, and what leaves each one (the "logit lens" of nostalgebraist, 2020). The last number is that of the model.
[[nodiscard]] std::vector<double> bits_after_each_block(const TextTransformer& model, const Corpus& corpus,
                                                        std::size_t count);

// What leaving a head out costs: bits a character without it (its columns of w_o are 0), less those of the whole model. For each
// block, for each head. The weights are as before afterwards.
[[nodiscard]] std::vector<std::vector<double>> cost_of_each_head(const TextTransformer& model,
                                                                 const Corpus& corpus, std::size_t count);

// What the decoder computes on held-out text of this corpus: 60 hidden units in 2,000 contexts, and at 50 positions the parts of
// the stream and the five likeliest characters. ValueError if the model is not of the shipped one's kind and size, or the text is
// too short.
[[nodiscard]] CharacterRecording recorded(const TextTransformer& model, const Corpus& corpus);

}  // namespace tfs
