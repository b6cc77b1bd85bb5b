// tests/08_encoder_decoder/pass_in_parts.hpp · a sequence in parts: keys and values of earlier parts, kept between the passes
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "common/base/xtensor_math.hpp"
#include "tests/support/close.hpp"
#include "tests/support/earlier.hpp"

namespace tfs::test {

// Keeps the keys and values of every layer, and puts those of earlier passes in front of them.
class PassInParts {
  public:
    // The pass of the next `seq` positions.
    Pass next(std::size_t seq) {
        return {.offset = std::exchange(positions_, positions_ + seq), .earlier = &layers_};
    }

  private:
    EarlierTensors layers_;
    std::size_t positions_ = 0;
};

// The columns of a padding mask that the positions begin … end - 1 see in this pass: those of all its keys.
inline std::optional<Mask> of_keys(const std::optional<Mask>& padding, std::size_t begin, std::size_t end,
                                   const Pass& pass) {
    if (!padding) return {};
    const std::size_t first = end - pass.keys(end - begin);
    return Mask(xt::view(padding->array(), xt::all(), xt::all(), xt::all(), xt::range(first, end)));
}

// The output of the positions begin … end - 1 in a pass.
using Part = std::function<Tensor(std::size_t begin, std::size_t end, const Pass& pass)>;

// Two parts, the keys and values of the first one kept, against the whole sequence; then one position after the other. `of` begins what
// a failure says.
inline void expect_parts_give_the_whole(const Part& part, const Tensor& whole, std::size_t first,
                                        Tolerance tolerance, const std::string& of = {}) {
    const std::size_t all = whole.size(1);
    PassInParts kept, by_one;
    const auto expect_part = [&](std::size_t begin, std::size_t end, PassInParts& before) {
        EXPECT_TRUE(close_named(of + "positions " + std::to_string(begin) + " to " + std::to_string(end - 1),
                                part(begin, end, before.next(end - begin)), slice(whole, 1, begin, end),
                                tolerance));
    };
    expect_part(0, first, kept);
    expect_part(first, all, kept);
    for (std::size_t t = 0; t < all; ++t) expect_part(t, t + 1, by_one);
}

}  // namespace tfs::test
