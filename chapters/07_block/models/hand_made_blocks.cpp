// chapters/07_block/models/hand_made_blocks.cpp · what the two blocks of the puzzle look at
#include "chapters/07_block/models/hand_made_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chapters/01_attention/models/feature_words.hpp"
#include "chapters/07_block/models/it_maps.hpp"

namespace tfs {

namespace {

void require_columns(const Tensor& weight, const std::string& name) {
    if (weight.rank() == 2 && weight.size(0) > 0 && weight.size(1) == stream_width) return;
    throw ShapeError(fmt::format(
        "two_blocks_by_hand: {} must be a matrix with {} columns, one for each of the stream, not {}", name,
        stream_width, to_string(weight.shape())));
}

void require_shapes(const HandMadeBlock& block, const std::string& name) {
    require_columns(block.w_q, "w_q of the " + name + " block");
    require_columns(block.w_k, "w_k of the " + name + " block");
    require_columns(block.w_v, "w_v of the " + name + " block");
    if (block.w_q.size(0) != block.w_k.size(0))
        throw ShapeError(fmt::format(
            "two_blocks_by_hand: in the {} block w_q has {} rows and w_k {}; both must have d_k rows", name,
            block.w_q.size(0), block.w_k.size(0)));
    if (block.w_v.size(0) != stream_width)
        throw ShapeError(fmt::format("two_blocks_by_hand: w_v of the {} block must have {} rows, not {}",
                                     name, stream_width, block.w_v.size(0)));
}

AttentionOutput attend_by_hand(const HandMadeBlock& block, const Tensor& x) {
    const Tensor q = linear(x, block.w_q) * block.factor;  // (1, seq, d_k)
    return scaled_dot_product_attention(q, linear(x, block.w_k), linear(x, block.w_v));
}

}  // namespace

Tensor stream_of(const std::vector<std::string>& sentence) {
    const Tensor features = features_of(sentence);  // (1, seq, 6)
    Array more = Tensor::zeros({1, sentence.size(), stream_width - features.size(2)}).array();
    for (std::size_t i = 0; i < sentence.size(); ++i) more(0, i, 0) = sentence[i] == "it" ? 1.0f : 0.0f;
    return concat({features, Tensor(std::move(more))}, 2);
}

HandMadeMaps maps_of(const HandMadeBlocks& blocks, const std::vector<std::string>& sentence) {
    require_shapes(blocks.first, "first");
    require_shapes(blocks.second, "second");
    const NoGrad no_grad;
    const Tensor x = stream_of(sentence);
    const auto [added, first] = attend_by_hand(blocks.first, x);
    return {first, attend_by_hand(blocks.second, x + added).weights};
}

std::vector<float> row_of_it(const Tensor& map, const std::vector<std::string>& sentence) {
    const std::size_t it = place_of_it(sentence);
    const Tensor row = slice(map, 1, it, it + 1);
    return {row.values().begin(), row.values().end()};
}

}  // namespace tfs
