// tests/09_transformer/induction_head_test.cpp · puzzle induction_head: what the two layers continue
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "tests/09_transformer/checklist.hpp"

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

// What a model says of one position, and how it comes to it. In `roughly` there are no numbers that another choice of weights for
// the same head would change.
struct Symptoms {
    std::string exactly = {}, roughly = {};

    void add_layer(const std::string& name, const Array& weights, std::size_t query) {
        const float* const row = weights.data() + query * weights.shape(1);
        const std::size_t key = static_cast<std::size_t>(std::max_element(row, row + query + 1) - row);
        const std::size_t back = query - key;
        const std::string place =
            back == 0 ? "itself" : fmt::format("{} position{} back", back, back == 1 ? "" : "s");
        exactly += fmt::format("\nthe {} layer looks most at {}, with weight {:.2f}", name, place, row[key]);
        roughly += fmt::format("{} {} ", row[key] < 0.9f ? "unsure" : "sure", place);
    }
    void add_columns(const InductionRun& run, std::size_t position) {
        const float* const x = run.after_first.data() + position * InductionModel::d_model;
        const float* const end = run.logits.values().data() + position * vocab;
        std::vector<float> added(end, end + vocab);
        for (std::size_t t = 0; t < vocab; ++t) added[t] -= x[t];
        add_largest("behind the first layer columns 0 … 15 are largest", {x, x + vocab});
        add_largest("behind the first layer columns 16 … 31 are largest", {x + vocab, x + 2 * vocab});
        add_largest("the second layer adds most", added);
    }
    void add_largest(const std::string& what, const std::vector<float>& values) {
        const auto at = std::max_element(values.begin(), values.end());
        exactly += fmt::format("\n{} for token {}: {:.2f}", what, at - values.begin(), *at);
        roughly += std::abs(*at) < 1e-5f ? "nothing " : fmt::format("{} ", at - values.begin());
    }
};

// Whether the model says these tokens behind the positions of the texts, of which it notes the first that is wrong.
class Said {
  public:
    void add(const InductionRun& run, const Text& text, std::size_t position, std::int64_t right) {
        const auto row = run.logits.values().subspan(position * vocab, vocab);
        all_.push_back(std::max_element(row.begin(), row.end()) - row.begin());
        if (all_.back() == right || !first_.exactly.empty()) return;
        first_.exactly = fmt::format(
            "after {} must come {}, but the model says {}",
            fmt::join(Text(text.begin(), text.begin() + 1 + static_cast<std::ptrdiff_t>(position)), " "),
            right, all_.back());
        first_.add_layer("first", run.first_weights, position);
        first_.add_layer("second", run.second_weights, position);
        first_.add_columns(run, position);
    }
    testing::AssertionResult all_right() const {
        count_comparison();
        if (first_.exactly.empty()) return testing::AssertionSuccess();
        return testing::AssertionFailure()
               << first_.exactly << came(first_.roughly + fmt::format("{}", fmt::join(all_, " ")));
    }

  private:
    Text all_ = {};
    Symptoms first_ = {};
};

TEST(induction_head, says_b_where_a_b_was_and_a_comes_again) {
    const InductionModel model = induction_head();
    Rng rng(1);
    Said said;
    for (std::int64_t a = 1; a < static_cast<std::int64_t>(vocab); ++a) {
        for (std::int64_t b = 1; b < static_cast<std::int64_t>(vocab); ++b) {
            if (a == b) continue;
            Text text = shuffled_tokens(rng);
            std::erase_if(text, [&](std::int64_t token) { return token == a || token == b; });
            text.resize(6);
            text.insert(text.begin() + static_cast<std::ptrdiff_t>(rng.below(7)), {a, b});
            text.insert(text.begin(), InductionModel::start);
            text.push_back(a);
            said.add(run_induction(model, ids_of(text)), text, text.size() - 1, b);
        }
    }
    EXPECT_TRUE(said.all_right());
}

// Sequences of `length` tokens, some of them behind others that are not in them. Greedy generation writes such a text if each token
// of it is the greedy one after those before it.
TEST(induction_head, continues_any_repeated_sequence) {
    const InductionModel model = induction_head();
    Rng rng(2);
    Said said;
    for (std::size_t length = 1; length < vocab; ++length) {
        const Text tokens = shuffled_tokens(rng);
        const std::size_t before = rng.below(vocab - length), given = 1 + before + length + 1;
        Text text{InductionModel::start};
        text.insert(text.end(), tokens.end() - static_cast<std::ptrdiff_t>(before), tokens.end());
        for (std::size_t i = 0; text.size() < InductionModel::max_len; ++i)
            text.push_back(tokens[i % length]);
        const InductionRun run = run_induction(model, ids_of(text));
        for (std::size_t i = given; i < InductionModel::max_len; ++i) said.add(run, text, i - 1, text[i]);
    }
    EXPECT_TRUE(said.all_right());
}

}  // namespace
}  // namespace tfs::test
