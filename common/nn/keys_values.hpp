// common/nn/keys_values.hpp · what attention goes on from: where x begins, keys and values by head; and its weights
//
// While a model writes, each new position attends to the keys and values of all earlier ones. A caller may keep these in a store
// with room for more, and append new rows in place. Then the rows of one head lie side by side in memory, with free room behind
// them before the next head begins. A Tensor has no such room, so attention reads these rows where they are (attend_in_place).
//
// Rows of the batch may have different numbers of keys. The newest key of each is in the last column of the scores. A shorter
// row has no keys in the first columns.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "common/tensor/mask.hpp"

namespace tfs {

// The weights of one layer are (batch, heads, query, key): with GPT-2's 12 heads and 1,024 positions 50 MB. A caller who does not
// look at them says `none`. Attention may return them all the same.
enum class Weights { keep, none };

// What stands in place of weights that nobody asked for: a tensor without entries, (0).
[[nodiscard]] inline Tensor no_weights() { return Tensor(Array::from_shape({0})); }

// The position of the first token of x, counted from 0: one number for the whole batch, or one for each row of it, where prompts of
// different lengths go on.
//     Offset offset = 3;
//     Offset offset({3, 0, 5});  // for a batch of 3
class Offset {
  public:
    Offset(std::size_t all = 0) : rows_{all} {}
    Offset(std::vector<std::size_t> each);  // ValueError if there are none

    [[nodiscard]] bool is_one() const { return rows_.size() == 1; }
    [[nodiscard]] std::size_t rows() const { return rows_.size(); }  // 1 if it is one number for all
    // Of this row of the batch. ValueError if there are fewer.
    [[nodiscard]] std::size_t operator[](std::size_t row) const;
    [[nodiscard]] std::size_t largest() const;
    bool operator==(const Offset&) const = default;

  private:
    std::vector<std::size_t> rows_;
};

// ValueError, which begins with `what`, unless the offset is one number or has one for each of `batch` rows.
void require_offset_of(std::string_view what, const Offset& offset, std::size_t batch);

// f(x, offset) where the offset is one number. Else f is called for each row of the batch, (1, …), with its own number, and the
// results, of the same shape, are joined again. So a function of one number serves for many. ValueError as above.
[[nodiscard]] Tensor by_row(std::string_view what, const Tensor& x, const Offset& offset,
                            const std::function<Tensor(const Tensor&, std::size_t)>& f);

// The rows of each head of a batch, in memory that the caller keeps for as long as this is used. Row r of head h in row b of the
// batch begins at first + (b * heads + h) * stride + r * width. They have no tape.
struct HeadRows {
    const float* first = nullptr;
    std::size_t batch = 0, heads = 0, width = 0;
    std::size_t stride = 0;  // floats from one head to the next: width times the rows that it has room for
    Offset lengths;          // the rows of each head: one number, or one for each row of the batch

    HeadRows() = default;
    // ValueError if `first` is null, a size is 0, there is no row, the lengths are not of `batch` rows, or the stride is too short.
    HeadRows(const float* rows, std::size_t batch, std::size_t heads, std::size_t width, std::size_t stride,
             Offset lengths);
    // Of x (batch, heads, length, width), which must live as long. ShapeError if x has other axes; ValueError if it needs a
    // gradient.
    explicit HeadRows(const Tensor& x);
    explicit HeadRows(Tensor&&) = delete;  // of a temporary, whose memory would be gone

    [[nodiscard]] const float* head(std::size_t b, std::size_t h) const {
        return first + (b * heads + h) * stride;
    }
    [[nodiscard]] std::size_t longest() const { return lengths.largest(); }
};

// Keys, or values, by head: (batch, heads, length, width). A Tensor, or rows that a caller keeps.
class Heads {
  public:
    Heads(const Tensor& x) : kept_(x) {}
    Heads(const HeadRows& rows) : kept_(rows) {}

    // The tensor itself; or a copy of the rows, without a tape. A shorter row of the batch begins with zeros, which a mask must
    // hide.
    operator Tensor() const;
    [[nodiscard]] const HeadRows* rows() const { return std::get_if<HeadRows>(&kept_); }  // null for a Tensor
    [[nodiscard]] Shape shape() const;
    [[nodiscard]] std::size_t size(int axis) const;  // -1 is the last
    // The number of keys or values: one, or one for each row of the batch.
    [[nodiscard]] Offset lengths() const;

  private:
    std::variant<Tensor, HeadRows> kept_;
};

// What a query is compared with and what it then receives.
struct KeysValues {
    Heads keys;    // (batch, kv_heads, key, d_k); turned by their positions where these are rotary
    Heads values;  // (batch, kv_heads, key, d_v)
};

// The keys and values of earlier positions, which a caller keeps for each layer of a model. Each pass of the model appends to them.
struct EarlierKeysValues {
    virtual ~EarlierKeysValues() = default;
    // How many positions it keeps of this layer. (A store may keep the newest ones only.)
    [[nodiscard]] virtual Offset lengths(std::size_t layer) const = 0;
    // Adds those of the next positions, and returns all of this layer. They are valid until the next call.
    [[nodiscard]] virtual KeysValues append(std::size_t layer, const KeysValues& own) = 0;
};

// softmax(q kᵀ / sqrt(d_k) + bias) v for keys and values that stay where they are (Vaswani et al. 2017, eq. 1; grouped queries:
// Ainslie et al. 2023).
//   q (batch, heads, query, d_k) · keys and values: of as many rows of the batch, of heads that divide those of q: head h
//   of q attends to head h / (heads / kv_heads); as many values as keys in each row of the batch
//   mask: true = may attend; bias: added to the scores; both broadcast to (batch, heads, query, key), key up to the longest
// Returns the output (batch, heads, query, d_v) and, where they are kept, the weights (batch, heads, query, key): 0 where a
// shorter row has no key. It records no tape. Throws ShapeError if the sizes don't fit, and ValueError if q requires a gradient
// and there is no NoGrad.
struct Attended {
    Tensor output, weights;
};
[[nodiscard]] Attended attend_in_place(const Tensor& q, const HeadRows& keys, const HeadRows& values,
                                       const std::optional<Mask>& mask = std::nullopt,
                                       const std::optional<Tensor>& bias = std::nullopt,
                                       Weights keep = Weights::none);

}  // namespace tfs
