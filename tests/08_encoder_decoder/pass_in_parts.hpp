// tests/08_encoder_decoder/pass_in_parts.hpp · a sequence in parts: keys and values of earlier parts, kept between the passes
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

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
        Pass pass{.offset = positions_, .earlier = &layers_};
        positions_ += seq;
        layers_.asked.clear();
        return pass;
    }
    // The numbers under which the blocks asked in the last pass.
    const std::vector<std::size_t>& asked() const { return layers_.asked; }

  private:
    EarlierTensors layers_;
    std::size_t positions_ = 0;
};

// What is wrong with the numbers of the blocks that asked for earlier keys in one pass; empty where it is not known.
inline std::string cause_of_numbers(const std::vector<std::size_t>& asked) {
    const std::set<std::size_t> numbers(asked.begin(), asked.end());
    if (asked.empty()) return "the pass does not reach the blocks as it is: give block i pass.in_layer(i)";
    if (asked.size() < 2) return {};
    if (numbers.size() == 1) return "all blocks share one number: give block i pass.in_layer(i)";
    if (numbers.size() < asked.size())
        return "a block is called twice in one pass: it gives output and weights at once";
    if (*numbers.begin() > 1)
        return "pass.layer is added to the number of the block: the first one is 0, give block i "
               "pass.in_layer(i)";
    return *numbers.begin() == 1 ? "the blocks are numbered from 1: the first one is 0" : "";
}

// What went wrong where the second of two parts does not fit to what was kept of the first one: read off the shapes.
inline std::string cause_of_misfit(const std::string& error, std::size_t first, std::size_t second) {
    const auto names = [&](const std::string& shape) { return error.find(shape) != std::string::npos; };
    const std::string queries = std::to_string(second);
    if (names("(1, 1, " + queries + ", " + queries + ")"))
        return "\nLikely cause: the mask knows the positions of x alone: it must be made of the pass";
    if (names(", " + std::to_string(first) + ", " + std::to_string(2 * first) + ")"))
        return "\nLikely cause: all blocks share one number, or one is called twice: block i is called once, "
               "with "
               "pass.in_layer(i)";
    if (names(", " + queries + ", " + queries + ")"))
        return "\nLikely cause: self-attention does not get the pass: this part attends to itself alone";
    return {};
}

// The columns of a padding mask that the positions begin … end - 1 see in this pass: those of all its keys.
inline std::optional<Mask> of_keys(const std::optional<Mask>& padding, std::size_t begin, std::size_t end,
                                   const Pass& pass) {
    if (!padding) return {};
    const std::size_t first = end - pass.keys(end - begin);
    return Mask(xt::view(padding->array(), xt::all(), xt::all(), xt::all(), xt::range(first, end)));
}

// The output of the positions begin … end - 1 in a pass.
using Part = std::function<Tensor(std::size_t begin, std::size_t end, const Pass& pass)>;

// Two parts, the keys and values of the first one kept, against the whole sequence. `otherwise`: the likely cause where the
// second part knows the first one, and is wrong all the same. `from_the_start`: that of a wrong first part.
inline void expect_parts_give_the_whole(const Part& part, const Tensor& whole, std::size_t first,
                                        Tolerance tolerance, const std::string& otherwise = "",
                                        const std::string& from_the_start = "") {
    const std::size_t all = whole.size(1);
    // Whether the first position of a part is right alone, and wrong beside those behind it.
    const auto sees_later = [&](const Tensor& together, std::size_t begin, PassInParts before) {
        const auto right = [&](const Tensor& t) {
            return bool(close(slice(t, 1, 0, 1), slice(whole, 1, begin, begin + 1), tolerance));
        };
        return !right(together) && right(part(begin, begin + 1, before.next(1)));
    };
    const std::string uncausal =
        "the causal mask is lost where the pass keeps keys: a position sees a later one";
    PassInParts kept;
    try {
        const Tensor start = part(0, first, kept.next(first));
        const std::string numbers = cause_of_numbers(kept.asked());
        const bool later_at_the_start = sees_later(start, 0, {});
        EXPECT_TRUE(close_named("the first part", start, slice(whole, 1, 0, first), tolerance))
            << likely_if(!numbers.empty(), numbers)
            << likely_if(numbers.empty() && later_at_the_start, uncausal)
            << likely_if(numbers.empty() && !later_at_the_start && !from_the_start.empty(), from_the_start);
        if (testing::Test::HasFailure()) return;
        const PassInParts before = kept;
        const Tensor rest = part(first, all, kept.next(all - first));
        const bool alone = bool(close(rest, part(first, all, Pass{.offset = first}), tolerance)),
                   later = sees_later(rest, first, before);
        EXPECT_TRUE(close_named("the second part", rest, slice(whole, 1, first, all), tolerance))
            << likely_if(alone, "self-attention does not get the pass: this part attends to itself alone")
            << likely_if(!alone && later, uncausal)
            << likely_if(!alone && !later && !otherwise.empty(), otherwise);
        if (testing::Test::HasFailure()) return;
        PassInParts by_one;
        for (std::size_t t = 0; t < all; ++t) {
            const auto right =
                close_named("one position after the other, " + std::to_string(t),
                            part(t, t + 1, by_one.next(1)), slice(whole, 1, t, t + 1), tolerance);
            EXPECT_TRUE(right) << likely_if(!from_the_start.empty(), from_the_start + ", for one query");
            if (!right) return;
        }
    } catch (const ShapeError& error) {
        ADD_FAILURE() << error.what() << cause_of_misfit(error.what(), first, all - first);
    }
}

}  // namespace tfs::test
