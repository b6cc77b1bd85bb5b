// tests/07_block/two_blocks_by_hand_test.cpp · puzzle two_blocks_by_hand: where "it" looks in block 2
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "chapters/01_attention/models/feature_words.hpp"
#include "chapters/07_block/models/hand_made_blocks.hpp"
#include "common/text/words.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

constexpr float enough = 0.9f;

std::vector<float> seen_by_it(const HandMadeBlocks& blocks, const Tokens& sentence) {
    return row_of_it(maps_of(blocks, sentence).second, sentence);
}

bool finds_noun(const HandMadeBlocks& blocks, const Tokens& sentence) {
    return seen_by_it(blocks, sentence)[noun_spoken_of(sentence)] >= enough;
}

Tokens with_end(const std::string& beginning, const std::string& adjective) {
    return split_words(beginning + " because it was " + adjective);
}

// A mistake that is told where the same blocks without it find this noun.
struct Change {
    std::string cause;
    std::function<void(HandMadeBlocks&)> mend;
};

const std::vector<Change>& changes() {
    static const auto exchange = [](HandMadeBlock& block) { std::swap(block.w_q, block.w_k); };
    static const auto exchange_kinds = [](HandMadeBlocks& blocks) {
        const Tensor& v = blocks.first.w_v;
        blocks.first.w_v = concat({slice(v, 0, 0, 7), slice(v, 0, 8, 9), slice(v, 0, 7, 8)}, 0);
    };
    static const std::vector<Change> all = {
        {"the factor of block 2 is too small: with 10 times as much this noun gets enough",
         [](HandMadeBlocks& b) { b.second.factor *= 10.0f; }},
        {"the factor of block 1 is too small: with 10 times as much this noun gets enough",
         [](HandMadeBlocks& b) { b.first.factor *= 10.0f; }},
        {"both factors are too small: with 10 times as much this noun gets enough",
         [](HandMadeBlocks& b) { b.first.factor *= 10.0f, b.second.factor *= 10.0f; }},
        {"w_q and w_k of block 1 are exchanged: w_q says what a word looks for, w_k how it is found",
         [](HandMadeBlocks& b) { exchange(b.first); }},
        {"w_q and w_k of block 2 are exchanged: w_q says what a word looks for, w_k how it is found",
         [](HandMadeBlocks& b) { exchange(b.second); }},
        {"rows and columns of w_v are exchanged: row 7 says what is written into column 7 of the stream",
         [](HandMadeBlocks& b) { b.first.w_v = transpose(b.first.w_v, 0, 1); }},
        {"block 1 writes animate where block 2 reads thing, and the other way round", exchange_kinds}};
    return all;
}

// Whether block 2 gives the nouns other weights at "it" where the adjective is another one.
bool adjective_arrives(const HandMadeBlocks& blocks) {
    const auto row_with = [&](const std::string& adjective) {
        return seen_by_it(blocks, with_end("the cat sat on the mat", adjective));
    };
    const std::vector<float> tired = row_with("tired"), soft = row_with("soft");
    return std::abs(tired[1] - soft[1]) >= 1e-3f || std::abs(tired[5] - soft[5]) >= 1e-3f;
}

// The word that "it" looks at in block 1 instead of the adjective; empty if it looks at the adjective, or at no word alone.
std::string misread_word(const HandMadeBlocks& blocks, const Tokens& sentence) {
    const std::vector<float> row = row_of_it(maps_of(blocks, sentence).first, sentence);
    const auto most = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    return row[most] < enough || most + 1 == sentence.size() ? "" : sentence[most];
}

std::string why_not(const HandMadeBlocks& blocks, const Tokens& sentence) {
    const bool arrives = adjective_arrives(blocks);
    if (const std::string word = misread_word(blocks, sentence); !arrives && !word.empty())
        return fmt::format("in block 1 \"it\" looks at \"{}\", which is the same whatever the adjective is",
                           word);
    for (const auto& [cause, mend] : changes()) {
        HandMadeBlocks mended = blocks;
        mend(mended);
        if (finds_noun(mended, sentence)) return cause;
    }
    if (!arrives)
        return "nothing that block 1 reads arrives at the query of \"it\" in block 2: w_v of block 1 must "
               "write into a column of the stream that w_q of block 2 reads";
    const std::vector<float> weights = seen_by_it(blocks, sentence);
    const float largest = *std::max_element(weights.begin(), weights.end());
    for (std::size_t i = 0; i < sentence.size(); ++i)
        if (weights[i] >= 0.999f * largest && !has_feature(sentence[i], "noun"))
            return fmt::format(
                "\"{}\", which is no noun, gets as much as any noun; query and key must both match on "
                "\"noun\", too: the key by its column, the query by a column that the row of \"it\" has",
                sentence[i]);
    return "";
}

testing::AssertionResult it_finds_its_noun(const HandMadeBlocks& blocks, const Tokens& sentence) {
    const std::vector<float> weights = seen_by_it(blocks, sentence);
    const std::size_t noun = noun_spoken_of(sentence);
    if (weights[noun] >= enough) return testing::AssertionSuccess();
    const auto most =
        static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    const std::string cause = why_not(blocks, sentence);
    return testing::AssertionFailure()
           << fmt::format(
                  "in \"{}\" block 2 gives {} a weight of {:.2f} at \"it\"; 0.90 are wanted. It looks most "
                  "at {} "
                  "({:.2f})",
                  fmt::join(sentence, " "), sentence[noun], weights[noun], sentence[most], weights[most])
           << likely_if(!cause.empty(), cause);
}

const std::vector<std::string> of_beings = {"tired", "hungry", "sleepy"},
                               of_things = {"soft", "wooden", "broken"};

TEST(two_blocks_by_hand, find_cat_for_tired_and_mat_for_soft) {
    const HandMadeBlocks blocks = two_blocks_by_hand();
    ASSERT_TRUE(it_finds_its_noun(blocks, with_end("the cat sat on the mat", "tired")));
    ASSERT_TRUE(it_finds_its_noun(blocks, with_end("the cat sat on the mat", "soft")));
}

TEST(two_blocks_by_hand, find_every_noun_in_either_order) {
    const HandMadeBlocks blocks = two_blocks_by_hand();
    for (const std::string being : {"cat", "dog", "child", "mouse"})
        for (const std::string thing : {"mat", "box", "chair", "table"})
            for (const auto& adjectives : {of_beings, of_things})
                for (const std::string& adjective : adjectives) {
                    ASSERT_TRUE(it_finds_its_noun(
                        blocks, with_end("the " + being + " slept on the " + thing, adjective)));
                    ASSERT_TRUE(it_finds_its_noun(
                        blocks, with_end("the " + thing + " stood near the " + being, adjective)));
                }
}

TEST(two_blocks_by_hand, find_one_noun_among_several_of_the_other_kind) {
    const HandMadeBlocks blocks = two_blocks_by_hand();
    for (const std::string& adjective : of_beings)
        ASSERT_TRUE(it_finds_its_noun(
            blocks,
            with_end("the mat and the box lay near the table and the dog waited on the chair", adjective)));
    for (const std::string& adjective : of_things)
        ASSERT_TRUE(it_finds_its_noun(
            blocks,
            with_end("the cat and the dog slept and the child and the mouse sat on the chair", adjective)));
}

}  // namespace
}  // namespace tfs::test
