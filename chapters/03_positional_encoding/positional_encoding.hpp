// chapters/03_positional_encoding/positional_encoding.hpp · what chapter 03 builds: four ways to tell positions apart
//
// Sources: Vaswani et al. 2017 (arXiv:1706.03762), section 3.5 · Su et al. 2021, "RoFormer" (arXiv:2104.09864) ·
// Press et al. 2022, "Train Short, Test Long" (arXiv:2108.12409).
// Axes: seq (positions) · pair (two columns that turn together, d_k / 2 of them) · the others as in chapter 01.
// Positions count from 0. `offset` is the position of the first row: 0 for a whole sequence, the number of tokens before
// it for a part (with cached keys). An Offset is one such number, or one for each row of the batch; the functions that take one
// are given, and call those with a number. What is given is in given/positions.cpp and models/attention_with_positions.cpp.
//
// Read the lesson in README.md beside this file; write your steps in exercises/03_positional_encoding/.
#pragma once

#include <vector>

#include "chapters/01_attention/attention.hpp"

namespace tfs {

// Step absolute_positions · Sinusoids (Vaswani et al. 2017, section 3.5), added to the embeddings:
//   PE(pos, 2i) = sin(pos / 10000^(2i / d_model)) · PE(pos, 2i + 1) = cos(pos / 10000^(2i / d_model))
struct SinusoidalPositionalEncoding {
    Tensor table;  // (max_len, d_model); fixed, so it requires no gradient

    // Angles in double: in float a sine is off by 0.002 at position 100,000. ValueError if a size is 0 or d_model is odd.
    SinusoidalPositionalEncoding(std::size_t d_model, std::size_t max_len);

    // x (…, seq, d_model) -> the same shape: x plus the rows offset … offset + seq - 1 of the table.
    // ShapeError if the width of x is not d_model; ValueError, which names the positions and max_len, where the table
    // ends before.
    Tensor operator()(const Tensor& x, std::size_t offset = 0) const;
    Tensor operator()(const Tensor& x, const Offset& offset) const;  // given; x (batch, seq, d_model)
};

// Given · A learned row for each position, added to the embeddings (as in BERT and GPT-2).
struct LearnedPositionalEmbedding {
    Embedding embedding;  // weight (max_len, d_model)

    // Draws the table from `rng`, N(0, 1). ValueError if a size is 0.
    LearnedPositionalEmbedding(std::size_t d_model, std::size_t max_len, Rng& rng);

    // As above: x (…, seq, d_model) plus the rows offset … offset + seq - 1; the same errors.
    Tensor operator()(const Tensor& x, std::size_t offset = 0) const;
    Tensor operator()(const Tensor& x, const Offset& offset) const;  // given; x (batch, seq, d_model)
    Parameters parameters() const;                                   // embedding.weight
};

// Given · The angles of rotary position embedding (Su et al. 2021): pair i turns at position pos by
//   pos * theta^(-2i / d_k), i = 0 … d_k/2 - 1
struct RotaryEmbedding {
    Tensor cos, sin;  // (max_len, d_k / 2): of the angle; fixed, so they require no gradient

    // Angles in double. ValueError if a size is 0, d_k is odd, or theta is not positive and finite.
    RotaryEmbedding(std::size_t d_k, std::size_t max_len, double theta = 10000.0);
};

// Given · The angles of any frequencies: pair i turns at position pos by pos * frequencies[i].
// ValueError if there is no frequency or no position.
[[nodiscard]] RotaryEmbedding rotary_of(const std::vector<double>& frequencies, std::size_t max_len);

// Which two columns of a head form pair i.
enum class RotaryLayout {
    interleaved,  // (2i, 2i + 1): the paper
    half_split,   // (i, i + d_k/2): LLaMA and similar models in the Hugging Face format
};

// Step rotary_positions · Predict first: a text is shifted, so that every word moves from position p to p + 7. Which of these
// scores between two words, now at m and n, are afterwards what they were before?
struct ShiftedScores {
    bool rows = false;               // p_m · p_n, rows of the table of sinusoids, no words
    bool word_and_row = false;       // x_m · p_n, the word at m with the row of position n
    bool both_turned = false;        // q · k, each of them turned by the angles of its position
    bool only_query_turned = false;  // q · k, the query turned by the angles of m, the key as it is
};
[[nodiscard]] ShiftedScores scores_that_stay();

// Step rotary_positions · Then write: turns each pair (a, b) of a query or a key by the angle of its position (Su et al. 2021):
//   (a, b) -> (a cos - b sin, a sin + b cos)
//   x (batch, heads, seq, d_k), or any (…, seq, d_k): the position is the axis before the last -> the same shape
// ShapeError if d_k is not that of `rotary`; ValueError if its table ends before offset + seq.
Tensor apply_rotary(const Tensor& x, const RotaryEmbedding& rotary,
                    RotaryLayout layout = RotaryLayout::interleaved, std::size_t offset = 0);
// Given · x (batch, …, seq, d_k), each row of the batch from its own position on
Tensor apply_rotary(const Tensor& x, const RotaryEmbedding& rotary, RotaryLayout layout,
                    const Offset& offset);

// Given · The columns of x (…, d_k) in another order: the even ones first, then the odd ones; and back.
Tensor even_columns_first(
    const Tensor& x);                       // interleaved -> half_split: (a0, b0, a1, b1) -> (a0, a1, b0, b1)
Tensor even_columns_back(const Tensor& x);  // half_split -> interleaved

// Given · Scaled dot-product attention with rotary positions: queries and keys are turned, values
// are not.
//   q (batch, heads, query, d_k), at the positions offset … offset + query - 1
//   k (batch, heads, key, d_k), v (batch, heads, key, d_v), at the positions 0 … key - 1, not turned yet
//   mask: true = may attend, broadcastable to (batch, heads, query, key)
// Returns the output and the weights. Throws the errors of scaled_dot_product_attention and of apply_rotary.
AttentionOutput rotary_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                 const RotaryEmbedding& rotary,
                                 const std::optional<Mask>& mask = std::nullopt,
                                 RotaryLayout layout = RotaryLayout::interleaved, const Offset& offset = 0);

// Given · The slopes of ALiBi (Press et al. 2022), one for each head:
//   n heads, a power of two, from steep to flat: 2^(-8/n), 2^(-16/n), …, 2^-8
//   other n, with p the power of two below: the p slopes of p heads, then, for the heads left over, every other one (the
//   1st, 3rd, …) of 2p heads; so the list is not sorted
// Returns (heads), without a gradient. Any number of heads from 1 on has slopes; ValueError for 0, ShapeError where
// there is no memory for them.
Tensor alibi_slopes(std::size_t num_heads);

// Given · What ALiBi adds to the scaled scores: a penalty that grows with the distance, at another slope in
// each head:
//   bias(h, i, j) = -slope_h * (i + offset - j) for j <= i + offset
//   and 0 for keys in the future: hide those by a causal mask, ALiBi says nothing about them.
// Returns (1, heads, query, key), or (batch, heads, query, key) with an offset for each row of the batch, without a gradient: the
// bias of scaled_dot_product_attention. ValueError if a size is 0. A bias for another number of heads does not fit the
// scores: adding it is a ShapeError (only a bias for 1 head would be repeated).
Tensor alibi_bias(std::size_t num_heads, std::size_t queries, std::size_t keys, const Offset& offset = 0);

// Step position_interpolation · A rotary head was trained on texts of `trained` words, and nothing is trained any more. By which
// factor does each frequency change, so that it reads texts of `longest` words?
//   Pair i then turns by factor_i * frequencies[i] from one position to the next.
// Returns as many factors as frequencies; all are 1 where longest <= trained, and a larger `longest` gives the slowest
// pair a smaller factor. One factor for all pairs, trained / longest, is position interpolation (Chen et al. 2023).
// The checklist trains five marker finders (models/marker_finder.hpp) at 32. At 256 words each of them must, with your factors,
// have its largest weight on the right key for 90 % of the queries, and a mean weight on it that is larger, by at least 0.05,
// than with position interpolation.
[[nodiscard]] std::vector<double> rotary_factors(const std::vector<double>& frequencies, std::size_t trained,
                                                 std::size_t longest);

// Step position_interpolation · And say why:
enum class Slowed { all_alike, fast_pairs, slow_pairs };  // the pairs with the smallest factors
enum class Because {
    matter_little,  // slow pairs hardly turn within a text, so their factors matter little
    near_words,     // slower, fast pairs turn too little from word to word to tell near words apart
    come_round,     // fast pairs come round more often, and a far word looks like a near one
    new_angles,     // slow pairs come to angles that they never had in training
};
struct FactorChoice {
    Slowed slowed{};                // what your factors do
    Because no_change_fails{};      // why a head loses the marker if all factors are 1
    Because interpolation_fails{};  // why its weight on the marker falls if all are trained / longest
};
[[nodiscard]] FactorChoice factor_choice();

// Step previous_token_head · Puzzle: weights by hand for a head that looks at the previous token, from sinusoids alone.
//   x = the rows of SinusoidalPositionalEncoding(32, …), no words · q = x w_qᵀ · k = x w_kᵀ · d_k is yours to choose
//   weights = softmax(q kᵀ / sqrt(d_k)), without a mask: position i attends to i - 1 with at least 0.9, for i = 1 … 64.
//   Position 0 has no previous token: its row may be anything.
struct PositionHead {
    static constexpr std::size_t d_model = 32;
    Tensor w_q, w_k;  // (d_k, d_model) each, as the weights of a Linear
};
[[nodiscard]] PositionHead previous_token_head();

// Given · The attention of such a head among the positions 0 … positions - 1: (query, key). ShapeError
// where the weights are not (d_k, d_model) both.
[[nodiscard]] Array weights_among_positions(const PositionHead& head, std::size_t positions);

// Given · From one layout to the other. A projection for interleaved pairs, weight (heads * d_k, d_model),
// becomes one for half split by moving its rows (and likewise its bias, (heads * d_k)): in each head the even ones
// first, then the odd ones. Its queries and keys give the same scores under the other layout. ValueError if the
// heads don't divide the rows, or d_k is odd.
Tensor interleaved_to_half_split(const Tensor& rows, std::size_t num_heads);
Tensor half_split_to_interleaved(const Tensor& rows, std::size_t num_heads);

}  // namespace tfs
