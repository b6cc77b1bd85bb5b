// tests/09_transformer/induction_head_test.cpp · puzzle induction_head: what the two layers continue
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "chapters/09_transformer/given/ids_and_masks.hpp"
#include "tests/09_transformer/checklist.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Text = std::vector<std::int64_t>;
constexpr std::size_t vocab = InductionModel::vocab_size;

Ids ids_of(const Text& text) {
    Ids ids = Ids::from_shape({1, text.size()});
    std::copy(text.begin(), text.end(), ids.begin());
    return ids;
}

// All tokens but <start>, in an order drawn at random.
Text shuffled_tokens(Rng& rng) {
    Text tokens(vocab - 1);
    std::iota(tokens.begin(), tokens.end(), 1);
    for (std::size_t i = tokens.size(); i-- > 1;) std::swap(tokens[i], tokens[rng.below(i + 1)]);
    return tokens;
}

// The token after a text; -1 where the weights have another shape, or give NaN.
std::int64_t token_after(const InductionModel& model, const Text& text) {
    try {
        return greedy_token(run_induction(model, ids_of(text)).logits);
    } catch (const Error&) {
        return -1;
    }
}

// A few texts with "A B … A". In each the last token is that at 2, and the right one that at 3.
std::vector<Text> samples() {
    return {{0, 9, 5, 12, 3, 7, 5}, {0, 2, 14, 1, 8, 11, 14}, {0, 15, 6, 10, 4, 13, 6}};
}
bool does_it(const InductionModel& model) {
    const std::vector<Text> texts = samples();
    return std::all_of(texts.begin(), texts.end(),
                       [&](const Text& text) { return token_after(model, text) == text[3]; });
}

std::size_t largest_in_row(const Array& weights, std::size_t row) {
    const float* const begin = weights.data() + row * weights.shape(1);
    return static_cast<std::size_t>(std::max_element(begin, begin + row + 1) - begin);
}

// Whether the query at each position from 2 on has its largest weight this far back.
bool looks_back(const Array& weights, std::size_t far) {
    for (std::size_t i = 2; i < weights.shape(0); ++i)
        if (largest_in_row(weights, i) != i - far) return false;
    return true;
}

// Whether the first layer has changed the columns of the token.
bool token_changed(const Array& after_first, const Text& text) {
    for (std::size_t i = 0; i < text.size(); ++i)
        for (std::size_t t = 0; t < vocab; ++t) {
            const float before = static_cast<std::int64_t>(t) == text[i] ? 1.0f : 0.0f;
            if (std::abs(after_first(i, t) - before) > 0.5f) return true;
        }
    return false;
}

// Whether the first layer has left the free columns empty.
bool notes_nothing(const Array& after_first) {
    for (std::size_t i = 0; i < after_first.shape(0); ++i)
        for (std::size_t column = vocab; column < 2 * vocab; ++column)
            if (after_first(i, column) != 0.0f) return false;
    return true;
}

std::string causes(const InductionModel& model) {
    const Text text = samples()[0];
    const InductionRun run = run_induction(model, ids_of(text));
    const std::size_t seen = largest_in_row(run.second_weights, text.size() - 1);
    InductionModel sharper = model, louder = model;
    sharper.first.w_q *= 30.0f;
    sharper.second.w_q *= 30.0f;
    louder.second.w_v *= 30.0f;
    const bool sharp = does_it(sharper), loud = does_it(louder);
    const bool itself = looks_back(run.first_weights, 0), two = looks_back(run.first_weights, 2);
    const bool previous = looks_back(run.first_weights, 1);
    const bool empty = previous && notes_nothing(run.after_first);
    const bool over = previous && token_changed(run.after_first, text);
    const bool silent = std::all_of(model.second.w_v.begin(), model.second.w_v.end(),
                                    [](float weight) { return weight == 0.0f; });
    return likely_if(silent, "the second layer adds nothing: all of its w_v is 0") +
           likely_if(!previous && !itself && !two, "the first layer does not look at the token before") +
           likely_if(itself, "the first layer looks at the token itself; it must look at the one before it") +
           likely_if(two, "the first layer looks two tokens back; it must look at the one before") +
           likely_if(over,
                     "the first layer writes into the columns of the token itself; the columns 16 … 31 are "
                     "free for what it finds") +
           likely_if(empty,
                     "the first layer notes nothing: the columns 16 … 31 are 0 behind it. A weight is (out, "
                     "in): w_v(16 + "
                     "t, t) brings column t to column 16 + t") +
           likely_if(previous && !empty && !over && !sharp && !loud && (seen == 2 || seen == text.size() - 1),
                     "the second layer finds the same token again, and not the one after it: compare the "
                     "current token with what the first layer wrote") +
           likely_if(sharp, "the scores of a layer are too small: with scores 30 times as large it works") +
           likely_if(
               loud && !sharp,
               "the logit of the current token is 1 from the beginning, and wins: the second layer must "
               "add more than 1 to another one");
}

TEST(induction_head, says_b_where_a_b_was_and_a_comes_again) {
    const InductionModel model = induction_head();
    if (!result_or_failure([&] { return run_induction(model, one_token(InductionModel::start)); },
                           [](const ShapeError&) { return ""; }))
        return;
    Rng rng(1);
    for (std::int64_t a = 1; a < static_cast<std::int64_t>(vocab); ++a) {
        for (std::int64_t b = 1; b < static_cast<std::int64_t>(vocab); ++b) {
            if (a == b) continue;
            Text text = shuffled_tokens(rng);
            std::erase_if(text, [&](std::int64_t token) { return token == a || token == b; });
            text.resize(6);
            text.insert(text.begin() + static_cast<std::ptrdiff_t>(rng.below(7)), {a, b});
            text.insert(text.begin(), InductionModel::start);
            text.push_back(a);
            const std::int64_t found = greedy_token(run_induction(model, ids_of(text)).logits);
            ASSERT_EQ(found, b) << fmt::format("the text {} must go on with {}, but the model says {}",
                                               fmt::join(text, " "), b, found)
                                << causes(model);
        }
    }
}

// Sequences of `length` tokens, some of them behind others that are not in them.
TEST(induction_head, continues_any_repeated_sequence) {
    const InductionModel model = induction_head();
    if (!does_it(model)) GTEST_SKIP() << "first says_b_where_a_b_was_and_a_comes_again must pass";
    Rng rng(2);
    for (std::size_t length = 1; length < vocab; ++length) {
        const Text tokens = shuffled_tokens(rng);
        const std::size_t before = rng.below(vocab - length);
        Text expected{InductionModel::start};
        expected.insert(expected.end(), tokens.end() - static_cast<std::ptrdiff_t>(before), tokens.end());
        for (std::size_t i = 0; expected.size() < InductionModel::max_len; ++i)
            expected.push_back(tokens[i % length]);
        const std::size_t given = 1 + before + length + 1;
        const Text prompt = part_of(expected, 0, given);
        // Greedy generation writes this text if each token of it is the greedy one after those before it.
        const Tensor logits = run_induction(model, ids_of(expected)).logits;
        Text found = prompt;
        for (std::size_t i = given; i < InductionModel::max_len; ++i)
            found.push_back(greedy_token(slice(logits, 1, i - 1, i)));
        EXPECT_EQ(found, expected)
            << fmt::format("the prompt was {}, a sequence of {} tokens and its first one once more",
                           fmt::join(prompt, " "), length)
            << likely_if(true, "the scores of a layer are too small for a text of up to 64 tokens");
    }
}

}  // namespace
}  // namespace tfs::test
