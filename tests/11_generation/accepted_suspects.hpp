// tests/11_generation/accepted_suspects.hpp · accepted() written for the test, with one thing done wrong
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chapters/11_generation/generation.hpp"

namespace tfs::test {

using Rows = std::vector<std::vector<double>>;

// What accepted() is given.
struct DraftedCase {
    TokenIds tokens = {};
    Rows q = {}, p = {};
};

enum class Choice {
    right,
    last_left_out,
    token_stays_too,
    the_rest_is_checked,
    last_alone_is_checked,
    staying_token_drawn_again,
    other_way_round,
    one_draw_for_all,
    all_draws_first,
    no_draw_where_p_is_larger,
    replacement_of_the_next_place,
    replacement_of_the_last_place,
    replacement_with_the_same_draw,
    last_of_the_place_before,
};

// The tokens that accepted() must return: token i stays where u q < p. Or those with something done wrong.
TokenIds accepted_with(const DraftedCase& one, Rng& rng, Choice choice = Choice::right);

// Random cases of 0 … 5 tokens, in which a probability may be 0.
std::vector<DraftedCase> drafted_cases(std::size_t count, std::uint64_t seed);

// Whether accepted() returns the right tokens in such cases; a failure names the likely cause.
testing::AssertionResult accepts_rightly(const std::vector<DraftedCase>& cases);

}  // namespace tfs::test
