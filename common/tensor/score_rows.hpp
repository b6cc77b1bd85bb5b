// common/tensor/score_rows.hpp · the rows of a mask and of a bias, where both broadcast to the scores of attention
#pragma once

#include <optional>
#include <vector>

#include "common/kernels/attention_tiles.hpp"
#include "common/tensor/mask.hpp"

namespace tfs {

// Where the rows of something lie that broadcasts to `scores` (…, query, key): it is not written out for every head.
struct BroadcastRows {
    Shape leading;                   // of the scores: all axes but the last
    std::vector<std::size_t> steps;  // for each axis of the scores (0 where it repeats)

    // ShapeError, which names `what`, if `shape` does not broadcast to `scores`.
    BroadcastRows(const Shape& shape, const Shape& scores, const char* what);

    // Where row `row` of the scores, counted over all leading axes, begins; and the step to the next query of the same head.
    [[nodiscard]] std::size_t start(std::size_t row) const;
    [[nodiscard]] std::size_t step() const { return steps[leading.size() - 1]; }
};

struct MaskRows : BroadcastRows {
    Mask mask;
    std::size_t row_size;  // of the mask: the number of keys, or 1

    MaskRows(const Mask& of, const Shape& scores);

    // What these rows of one head see of so many keys from `key` on.
    [[nodiscard]] kernels::Sight sight(std::size_t row, std::size_t rows, std::size_t key,
                                       std::size_t keys) const;
    // scores = -inf where the row that begins at `entry` does not allow the key; the first score is of key `first`.
    void hide(std::size_t entry, float* scores, std::size_t keys, std::size_t first = 0) const;
};

struct BiasRows : BroadcastRows {
    Tensor bias;

    BiasRows(const Tensor& of, const Shape& scores);

    // scores = scale * scores + bias, for the row that begins at `entry`; the first score is of key `first`.
    void add(std::size_t entry, float scale, float* scores, std::size_t keys, std::size_t first = 0) const;
};

// A mask and a bias, where there is one.
class ScoreRows {
  public:
    ScoreRows(const std::optional<Mask>& mask, const std::optional<Tensor>& bias, const Shape& scores);

    // None of these rows of one head may attend to a key behind the first so many; `keys` without a mask.
    [[nodiscard]] std::size_t reach(std::size_t row, std::size_t rows, std::size_t keys) const;
    // What the scores of `rows` queries of one head become, in place: softmax(scale * scores + bias), 0 where the mask forbids
    // the key. `first` is the number of the first row, counted over all leading axes; a row has `keys` scores and begins `apart`
    // floats behind the one before.
    void weigh(std::size_t first, std::size_t rows, float scale, float* scores, std::size_t keys,
               std::size_t apart) const;

    // The same in tiles: what is seen of them, and what changes their scores.
    void describe_to(kernels::AttentionTiles& tiles) const;

  private:
    std::optional<MaskRows> mask_;
    std::optional<BiasRows> bias_;
};

}  // namespace tfs
