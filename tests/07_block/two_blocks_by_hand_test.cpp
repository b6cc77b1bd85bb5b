// tests/07_block/two_blocks_by_hand_test.cpp · puzzle two_blocks_by_hand: where "it" looks in block 2
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "chapters/01_attention/models/feature_words.hpp"
#include "chapters/07_block/models/hand_made_blocks.hpp"
#include "common/text/tokenizer.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

constexpr float enough = 0.9f;

// "most at cat (0.93)"; where several words get as much, "most at cat and mat (0.41 each)".
std::string looks(const Tensor& map, const Tokens& sentence) {
    const std::vector<float> row = row_of_it(map, sentence);
    const float largest = *std::max_element(row.begin(), row.end());
    std::vector<std::string> words;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (row[i] >= largest - 0.001f) words.push_back(sentence[i]);
    if (words.empty()) return "nowhere (its weights are not finite)";
    if (words.size() > 4) return "at many words alike";
    return fmt::format("most at {} ({:.2f}{})", fmt::join(words, " and "), largest,
                       words.size() > 1 ? " each" : "");
}

testing::AssertionResult it_finds_its_noun(const HandMadeBlocks& blocks, const Tokens& sentence) {
    const HandMadeMaps maps = maps_of(blocks, sentence);
    const std::size_t noun = noun_spoken_of(sentence);
    const float weight = row_of_it(maps.second, sentence)[noun];
    if (weight >= enough) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << fmt::format(
                  "in \"{}\" block 2 gives {} a weight of {:.2f} at \"it\"; 0.90 are wanted. In block 1 "
                  "\"it\" looks {}, in block 2 {}",
                  fmt::join(sentence, " "), sentence[noun], weight, looks(maps.first, sentence),
                  looks(maps.second, sentence))
           << came(slice(concat({maps.first, maps.second}, 0), 1, sentence.size() - 3, sentence.size())
                       .array(),
                   {0.0, 0.02});  // of "it was tired"
}

Tokens with_end(const std::string& beginning, const std::string& adjective) {
    return split_words(beginning + " because it was " + adjective);
}

const std::vector<std::string> of_beings = {"tired", "hungry", "sleepy"},
                               of_things = {"soft", "wooden", "broken"};

TEST(two_blocks_by_hand, find_cat_for_tired_and_mat_for_soft) {
    const HandMadeBlocks blocks = two_blocks_by_hand();
    for (const std::string adjective : {"tired", "soft"})
        EXPECT_TRUE(it_finds_its_noun(blocks, with_end("the cat sat on the mat", adjective)));
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
    for (const auto& [adjectives, beginning] :
         {std::pair(of_beings, "the mat and the box lay near the table and the dog waited on the chair"),
          std::pair(of_things, "the cat and the dog slept and the child and the mouse sat on the chair")})
        for (const std::string& adjective : adjectives)
            ASSERT_TRUE(it_finds_its_noun(blocks, with_end(beginning, adjective)));
}

}  // namespace
}  // namespace tfs::test
