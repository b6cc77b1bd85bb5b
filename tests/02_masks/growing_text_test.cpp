// tests/02_masks/growing_text_test.cpp · step growing_text: each prediction against a run
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chapters/02_masks/models/growing_text_rows.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

void expect_rows(std::size_t EqualRows::*number) {
    const std::size_t predicted = growing_text().equal.*number;
    for (const GrowingTrial& trial : growing_trials()) {
        if (trial.predicted != number) continue;
        EXPECT_EQ(predicted, equal_rows(growing_differences(trial, 1)))
            << trial.name << ": your prediction, and what the run gave";
    }
}

void expect_scores(std::size_t ScoreCounts::*number, std::size_t CausalPasses::*counted) {
    EXPECT_EQ(growing_text().scores.*number, causal_passes(tokens_of_growing_text, 1).*counted)
        << "your prediction, and what the run gave";
}

TEST(growing_text, rows_without_a_mask) { expect_rows(&EqualRows::no_mask); }
TEST(growing_text, rows_under_a_causal_mask) { expect_rows(&EqualRows::causal); }
TEST(growing_text, rows_under_a_window) { expect_rows(&EqualRows::window); }
TEST(growing_text, rows_under_a_symmetric_window) { expect_rows(&EqualRows::symmetric_window); }
TEST(growing_text, rows_of_a_question_and_its_answer) { expect_rows(&EqualRows::question); }
TEST(growing_text, rows_of_two_documents) { expect_rows(&EqualRows::documents); }
TEST(growing_text, rows_of_two_causal_documents) { expect_rows(&EqualRows::documents_and_causal); }
TEST(growing_text, rows_beside_a_query_that_sees_everything) { expect_rows(&EqualRows::global_token); }
TEST(growing_text, rows_of_two_layers_beside_a_query_that_sees_everything) {
    expect_rows(&EqualRows::global_token_twice);
}
TEST(growing_text, rows_of_two_layers_of_a_question_and_its_answer) {
    expect_rows(&EqualRows::question_twice);
}
TEST(growing_text, scores_of_one_pass) { expect_scores(&ScoreCounts::one_pass, &CausalPasses::one_pass); }
TEST(growing_text, scores_of_ten_passes) {
    expect_scores(&ScoreCounts::ten_passes, &CausalPasses::all_beginnings);
}
TEST(growing_text, scores_with_a_cache) {
    expect_scores(&ScoreCounts::with_cache, &CausalPasses::with_cache);
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
