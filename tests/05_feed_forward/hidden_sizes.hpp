// tests/05_feed_forward/hidden_sizes.hpp · published sizes of SwiGLU, edge cases, and what wrong answers give
#pragma once

#include <cstddef>
#include <vector>

namespace tfs::test {

struct HiddenSize {
    std::size_t d_ff, multiple_of, expected;
};

// The sizes of 7B (two thirds are 10922), 13B, 33B, 65B.
inline const std::vector<HiddenSize> llama{
    {4 * 4096, 256, 11008}, {4 * 5120, 256, 13824}, {4 * 6656, 256, 17920}, {4 * 8192, 256, 22016}};
inline const std::vector<HiddenSize> multiples_already{
    {3072, 256, 2048}, {3072, 1, 2048}, {96, 64, 64}, {3'000'000, 1, 2'000'000}};
// Two thirds of 4 are 2.67, cut off to 2, as LLaMA's int(2 * hidden_dim / 3).
inline const std::vector<HiddenSize> with_a_fraction{
    {16384, 1, 10922},           {20, 1, 13}, {2, 1, 1}, {4, 2, 2}, {16, 256, 256}, {16, 6, 12},
    {100'000'001, 1, 66'666'667}};  // more than the 24 bits of a float

void hidden_sizes_are(const std::vector<HiddenSize>& cases);

}  // namespace tfs::test
