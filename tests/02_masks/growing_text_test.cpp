// tests/02_masks/growing_text_test.cpp · step growing_text: each prediction against a run, and why the run gives this
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chapters/02_masks/models/growing_text_rows.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

// A likely wrong prediction, and what it overlooks.
struct Wrong {
    std::size_t predicted = 0;
    std::string cause;
};

// `why` is told of a prediction that none of the likely ones is.
testing::AssertionResult predicts_run(const std::string& what, std::size_t predicted, std::size_t run,
                                      const std::string& why, const std::vector<Wrong>& likely) {
    if (predicted == run) return testing::AssertionSuccess();
    const auto wrong = std::find_if(likely.begin(), likely.end(),
                                    [&](const Wrong& one) { return one.predicted == predicted; });
    return testing::AssertionFailure()
           << fmt::format("{}: you predicted {}, the run gave {}", what, predicted, run)
           << likely_if(true, wrong != likely.end() ? wrong->cause : why);
}

testing::AssertionResult predicts_rows(std::size_t EqualRows::*number, const std::string& why,
                                       const std::vector<Wrong>& likely) {
    const std::size_t predicted = growing_text().equal.*number;
    for (const GrowingTrial& trial : growing_trials()) {
        if (trial.predicted != number) continue;
        const std::size_t run = equal_rows(growing_differences(trial, 1));
        return predicts_run(trial.name, predicted, run, why, likely);
    }
    return testing::AssertionFailure() << "no run for this number";
}

testing::AssertionResult predicts_scores(const std::string& what, std::size_t ScoreCounts::*number,
                                         std::size_t CausalPasses::*counted, const std::string& why,
                                         const std::vector<Wrong>& likely) {
    const std::size_t predicted = growing_text().scores.*number;
    const std::size_t run = causal_passes(tokens_of_growing_text, 1).*counted;
    return predicts_run(what, predicted, run, why, likely);
}

const std::string last_row_forgotten =
    "the last row counts: the beginning that ends there is the whole text, and its pass is the one pass";
const std::string causal_is_enough =
    "a row that reads only itself and earlier tokens finds all of them in its beginning, too";

TEST(growing_text, rows_without_a_mask) {
    EXPECT_TRUE(predicts_rows(&EqualRows::no_mask,
                              "rows 0 to 8 read later tokens, which their beginnings lack",
                              {{0, last_row_forgotten},
                               {2, "row 0 reads all 10 tokens in the one pass, but only itself in its own"},
                               {10, "without a mask a row of the one pass reads the whole text"}}));
}

TEST(growing_text, rows_under_a_causal_mask) {
    EXPECT_TRUE(predicts_rows(
        &EqualRows::causal, causal_is_enough,
        {{1,
          "the mask hides later tokens from the rows of the one pass, so they read what their beginning has"},
         {9, "row 0 and row 9 count, too: " + causal_is_enough}}));
}

TEST(growing_text, rows_under_a_window) {
    const std::string same =
        "the pass over the beginning has the same window: both rows read the same 3 keys";
    EXPECT_TRUE(predicts_rows(
        &EqualRows::window, causal_is_enough,
        {{3, same}, {8, "the first rows read fewer keys, the same ones in both passes"}, {1, same}}));
}

TEST(growing_text, rows_under_a_symmetric_window) {
    const std::string ahead =
        "all rows but the last read one or two tokens ahead, which their beginnings lack";
    EXPECT_TRUE(predicts_rows(
        &EqualRows::symmetric_window, ahead,
        {{0, last_row_forgotten},
         {10, "this window looks ahead, too: row 0 reads tokens 1 and 2, which its beginning lacks"},
         {2, "row 8 reads token 9, which its beginning lacks: only the last row has nothing ahead"},
         {6, "the rows in the middle look ahead, too: their beginnings end where they stand"},
         {8, "rows 8 and 9 see less than two tokens ahead; all others see two, which their beginnings lack"},
         {3, "row 7 reads tokens 8 and 9, row 8 token 9: their beginnings lack them"}}));
}

TEST(growing_text, rows_of_a_question_and_its_answer) {
    EXPECT_TRUE(predicts_rows(
        &EqualRows::question,
        "rows 0 to 2 read the rest of the question, which their beginnings lack; row 3 is its end",
        {{6, "row 3 is the end of the question: its beginning has the whole question"},
         {10, "the question is read both ways: row 0 reads tokens 1 to 3, which its beginning lacks"},
         {4, "these are the rows of the question; all rows of the answer are equal, and its end"},
         {3, "these are the rows that differ"},
         {1, "the answer is causal: its rows read the question and what they wrote"}}));
}

TEST(growing_text, rows_of_two_documents) {
    EXPECT_TRUE(predicts_rows(
        &EqualRows::documents, "each document is read both ways, so only its last row has nothing ahead",
        {{1, "row 5 is the end of the first document, and reads no token of the second"},
         {0, "the last row of each document reads nothing ahead"},
         {10, "document_mask ignores order: row 0 reads tokens 1 to 5, which its beginning lacks"},
         {4, "the second document is read both ways, too: row 6 reads tokens 7 to 9"},
         {6, "the first document is read both ways, too: row 0 reads tokens 1 to 5"}}));
}

TEST(growing_text, rows_of_two_causal_documents) {
    EXPECT_TRUE(predicts_rows(
        &EqualRows::documents_and_causal, causal_is_enough,
        {{2, "with & causal_mask no row reads ahead, also within its document"},
         {6,
          "the second document is hidden from the first one in both passes, and the first from the second"},
         {4, "the rows of the first document read nothing ahead either"}}));
}

TEST(growing_text, rows_beside_a_query_that_sees_everything) {
    EXPECT_TRUE(predicts_rows(
        &EqualRows::global_token,
        "only row 0 reads ahead; the others read its key and value, made of token 0",
        {{1,
          "rows 1 to 9 read token 0 itself, not what row 0 has read: keys and values are made of the input"},
         {10, "row 0 reads tokens 1 to 9, which its beginning lacks"},
         {0, "rows 1 to 9 are causal, and read token 0 itself, not what row 0 has read"}}));
}

TEST(growing_text, rows_of_two_layers_beside_a_query_that_sees_everything) {
    EXPECT_TRUE(predicts_rows(
        &EqualRows::global_token_twice,
        "after layer 1 row 0 holds the whole text, and in layer 2 all rows read row 0",
        {{9,
          "in layer 2 all rows read row 0, which has read the whole text in layer 1: it carries the future"},
         {10, "row 0 reads ahead in layer 1, and all rows read row 0 in layer 2"},
         {8,
          "in layer 2 all rows read row 0, which has read the whole text in layer 1: it carries the future"},
         {0, last_row_forgotten}}));
}

TEST(growing_text, rows_of_two_layers_of_a_question_and_its_answer) {
    EXPECT_TRUE(predicts_rows(
        &EqualRows::question_twice,
        "rows 0 to 2 have read the rest of the question; every longer beginning has the whole question, too",
        {{1,
          "rows 0 to 3 have read only the question, and from row 3 on every beginning has the whole "
          "question"},
         {6, "row 3 is the end of the question: its beginning has the whole question, in both layers"},
         {10, "rows 0 to 2 read the rest of the question, which their beginnings lack"},
         {0, "the answer is causal, and the question has read only itself"}}));
}

TEST(growing_text, scores_of_one_pass) {
    EXPECT_TRUE(predicts_scores(
        "one pass", &ScoreCounts::one_pass, &CausalPasses::one_pass, "every query times every key: T²",
        {{55,
          "chapter 01 computes all scores, and masked_fill replaces the forbidden ones: a mask alone saves "
          "nothing"},
         {45, "chapter 01 computes all scores, the forbidden ones and those of a query with its own key"},
         {10, "each of the 10 queries is multiplied with each of the 10 keys"}}));
}

TEST(growing_text, scores_of_ten_passes) {
    EXPECT_TRUE(predicts_scores(
        "ten passes", &ScoreCounts::ten_passes, &CausalPasses::all_beginnings,
        "a pass over t tokens computes t² scores; the sum over t is T(T + 1)(2T + 1) / 6",
        {{1000, "only the last pass has 10 tokens: a pass over t tokens computes t² scores"},
         {55, "a pass over t tokens computes t² scores, not t: its other rows are computed, too"},
         {220, "the forbidden scores are computed, too: t² for t tokens"},
         {100, "these are the scores of the last pass alone"},
         {550, "a pass over t tokens has t keys, too: t² scores, not 10 t"}}));
}

TEST(growing_text, scores_with_a_cache) {
    EXPECT_TRUE(predicts_scores(
        "with a cache", &ScoreCounts::with_cache, &CausalPasses::with_cache,
        "pass t has one query and t keys; the sum over t is T(T + 1) / 2",
        {{10, "each new query is multiplied with all keys of the cache, not only with its own"},
         {45, "a query is multiplied with its own key, too"},
         {100, "a query comes before the later keys exist: pass t has t keys"},
         {385, "only the new token is a query; the rows of the earlier ones are not computed again"}}));
}

// The runs themselves: no row is nearly equal, and another seed gives the same.
TEST(given_growing_text_rows, are_equal_or_far_apart_for_every_seed) {
    for (const GrowingTrial& trial : growing_trials()) {
        const std::size_t rows = equal_rows(growing_differences(trial, 1));
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const std::vector<float> differences = growing_differences(trial, seed);
            EXPECT_EQ(equal_rows(differences), rows) << trial.name;
            for (const float difference : differences)
                EXPECT_TRUE(difference <= equal_rows_differ_by / 2 || difference > 1e-3f)
                    << trial.name << ": " << difference;
        }
    }
}

// One masked pass gives the outputs and the gradients of all its beginnings: T examples from one text.
TEST(given_growing_text_rows, one_causal_pass_has_the_gradient_of_all_beginnings_and_the_rows_of_a_cache) {
    for (const std::size_t tokens : {1UL, 10UL, 100UL}) {
        const CausalPasses passes = causal_passes(tokens, tokens);
        EXPECT_LE(passes.cache_difference, equal_rows_differ_by) << tokens;
        EXPECT_LE(passes.gradient_difference, equal_rows_differ_by) << tokens;
        EXPECT_EQ(passes.one_pass, tokens * tokens);
        EXPECT_EQ(passes.all_beginnings, tokens * (tokens + 1) * (2 * tokens + 1) / 6);
        EXPECT_EQ(passes.with_cache, tokens * (tokens + 1) / 2);
    }
}

}  // namespace
}  // namespace tfs::test
