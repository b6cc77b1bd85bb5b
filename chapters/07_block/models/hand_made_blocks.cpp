// chapters/07_block/models/hand_made_blocks.cpp · what the two blocks of the puzzle look at
#include "chapters/07_block/models/hand_made_blocks.hpp"

#include "chapters/01_attention/models/feature_words.hpp"
#include "chapters/07_block/models/it_reader.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

namespace {

void require_fitting(const HandMadeBlock& block, const std::string& which) {
    require_shapes("two_blocks_by_hand, " + which + " block",
                   {{"w_q", block.w_q, "d_k+ stream"},
                    {"w_k", block.w_k, "d_k stream"},
                    {"w_v", block.w_v, "stream stream"}},
                   {{"stream", stream_width, "the stream"}});
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
    require_fitting(blocks.first, "first");
    require_fitting(blocks.second, "second");
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
