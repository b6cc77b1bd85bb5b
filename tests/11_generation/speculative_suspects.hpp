// tests/11_generation/speculative_suspects.hpp · the loop of drafts, written for the test, with one thing done wrong
#pragma once

#include <string>
#include <vector>

#include "chapters/11_generation/generation.hpp"
#include "tests/11_generation/accepted_suspects.hpp"
#include "tests/11_generation/small_models.hpp"

namespace tfs::test {

enum class Flaw {
    none,
    // of generate_speculatively
    logits_one_early,
    logits_of_the_last,
    logits_from_column_0,
    end_passed_over,
    kept_are_passed_over,
    added_token_is_lost,
    rules_before_the_draft,
    rules_behind_the_draft,
    no_rules,
    rules_asked_everywhere,
    zeros_after_the_end,
    goes_on_not_asked,
    never_left,
    drafts_behind_the_end,
    no_sampling,
    rules_for_the_draft,
    draft_reads_the_text_alone,
    draft_is_greedy,
    draft_draws_alone,
    extra_token_is_counted,
    kept_counts_the_text,
    drafted_counts_the_kept,
    drafted_counts_the_length,
    drafted_counts_the_room,
    one_pass_less,
};

// One call of generate_speculatively.
struct SpeculativeCase {
    std::string name;
    LanguageModel model;
    Draft draft;
    TokenIds prompt;
    std::size_t length = 3;
    GenerationOptions options = {};
    std::uint64_t seed = 1;
};

// What came of it.
struct SpeculativeRun {
    Speculation result = {};
    std::vector<ReadPass> passes = {};
    std::vector<TokenIds> told = {};  // the texts that the draft was given
    std::string error = {};
    std::string rng = {};  // the state afterwards
};

// By the step; by the test's own loop, with a flaw.
SpeculativeRun run_of_step(const SpeculativeCase& one);
SpeculativeRun run_with(const SpeculativeCase& one, Flaw flaw = Flaw::none);

// "\nLikely cause: …" where `found`, the runs of the step, differ from the right ones, and a cause is known.
std::string cause_of_runs(const std::vector<SpeculativeCase>& cases, const std::vector<SpeculativeRun>& found,
                          const std::vector<SpeculativeRun>& right);

}  // namespace tfs::test
