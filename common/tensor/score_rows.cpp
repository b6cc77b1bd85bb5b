// common/tensor/score_rows.cpp · the rows of a mask and of a bias, where both broadcast to the scores of attention
#include "common/tensor/score_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "common/kernels/row_kernels.hpp"

namespace tfs {

BroadcastRows::BroadcastRows(const Shape& shape, const Shape& scores, const char* what) : leading(scores) {
    if (broadcast_shapes(shape, scores, what) != scores)
        throw ShapeError(fmt::format("{}: {} has more entries than the scores {}; it must broadcast to them",
                                     what, to_string(shape), to_string(scores)));
    steps = broadcast_strides(shape, scores);
    leading.pop_back();
}

std::size_t BroadcastRows::start(std::size_t row) const { return broadcast_offset(row, leading, steps); }

MaskRows::MaskRows(const Mask& of, const Shape& scores)
    : BroadcastRows(of.shape(), scores, "mask"),
      mask(of),
      row_size(of.shape().empty() ? 1 : of.shape().back()) {}

kernels::Sight MaskRows::sight(std::size_t row, std::size_t rows, std::size_t key, std::size_t keys) const {
    if (row_size == 0) return {0, true};
    std::size_t farthest = 0, span = start(row) / row_size;
    bool all = mask.kind() != MaskKind::scattered;
    const std::vector<KeySpan>& spans = mask.spans();
    for (std::size_t r = 0; r < rows; ++r, span += step() / row_size) {
        const auto [begin, end] = spans[span];
        if (begin < key + keys) farthest = std::max(farthest, end);
        all = all && begin <= key && end >= key + keys;
    }
    return {farthest <= key ? 0 : std::min(farthest - key, keys), all};
}

void MaskRows::hide(std::size_t entry, float* scores, std::size_t keys, std::size_t first) const {
    if (keys == 0) return;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const auto [begin, end] = mask.spans()[entry / row_size];
    if (mask.kind() == MaskKind::spans) {
        if (begin > first) std::fill_n(scores, std::min(begin - first, keys), -infinity);
        if (end < first + keys) std::fill(scores + (end < first ? 0 : end - first), scores + keys, -infinity);
    } else if (mask.kind() == MaskKind::scattered) {
        // As bytes: g++ does not vectorise a loop that reads bool.
        const auto* allow = reinterpret_cast<const unsigned char*>(mask.array().data() + entry + first);
#pragma omp simd
        for (std::size_t j = 0; j < keys; ++j) scores[j] = allow[j] == 0 ? -infinity : scores[j];
    }
}

BiasRows::BiasRows(const Tensor& of, const Shape& scores)
    : BroadcastRows(of.shape(), scores, "bias"), bias(of) {}

void BiasRows::add(std::size_t entry, float scale, float* scores, std::size_t keys, std::size_t first) const {
    const std::size_t step_of_key = steps.back();
    const float* added = bias.values().data() + entry + first * step_of_key;
    for (std::size_t j = 0; j < keys; ++j) scores[j] = scale * scores[j] + added[j * step_of_key];
}

ScoreRows::ScoreRows(const std::optional<Mask>& mask, const std::optional<Tensor>& bias,
                     const Shape& scores) {
    if (mask) mask_.emplace(*mask, scores);
    if (bias) bias_.emplace(*bias, scores);
}

std::size_t ScoreRows::reach(std::size_t row, std::size_t rows, std::size_t keys) const {
    return mask_ ? mask_->sight(row, rows, 0, keys).keys : keys;
}

void ScoreRows::weigh(std::size_t first, std::size_t rows, float scale, float* scores, std::size_t keys,
                      std::size_t apart) const {
    const std::size_t of_mask = mask_ ? mask_->start(first) : 0, of_bias = bias_ ? bias_->start(first) : 0;
    for (std::size_t r = 0; r < rows; ++r, scores += apart) {
        if (bias_) bias_->add(of_bias + r * bias_->step(), scale, scores, keys);
        if (mask_) mask_->hide(of_mask + r * mask_->step(), scores, keys);
        kernels::softmax_row(scores, scores, keys, bias_ ? 1.0f : scale);
    }
}

void ScoreRows::describe_to(kernels::AttentionTiles& tiles) const {
    if (mask_)
        tiles.sight = [this](std::size_t row, std::size_t rows, std::size_t key, std::size_t keys) {
            return mask_->sight(row, rows, key, keys);
        };
    if (!mask_ && !bias_) return;
    tiles.always_adjust = bias_.has_value();
    tiles.adjust_scores = [this](std::size_t row, std::size_t rows, std::size_t key, std::size_t keys,
                                 float* scores, std::size_t row_step) {
        const std::size_t of_mask = mask_ ? mask_->start(row) : 0, of_bias = bias_ ? bias_->start(row) : 0;
        for (std::size_t r = 0; r < rows; ++r, scores += row_step) {
            if (bias_) bias_->add(of_bias + r * bias_->step(), 1.0f, scores, keys, key);
            if (mask_) mask_->hide(of_mask + r * mask_->step(), scores, keys, key);
        }
    };
}

}  // namespace tfs
