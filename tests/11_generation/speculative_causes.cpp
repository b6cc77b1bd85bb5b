// tests/11_generation/speculative_causes.cpp · what a wrong run of the loop of drafts tells of its cause
#include <algorithm>
#include <array>
#include <utility>

#include "tests/11_generation/speculative_suspects.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

namespace {

bool same_text(const SpeculativeRun& a, const SpeculativeRun& b) {
    return a.result.text.tokens == b.result.text.tokens && a.result.text.ended == b.result.text.ended &&
           a.error.empty() == b.error.empty();
}

bool same_run(const SpeculativeRun& a, const SpeculativeRun& b) {
    const auto counts = [](const Speculation& s) { return std::array{s.drafted, s.kept, s.passes}; };
    return same_text(a, b) && counts(a.result) == counts(b.result) && a.passes == b.passes &&
           a.told == b.told;
}

// What the passes tell: of what the first wrong one reads, and what it finds in the cache. The text at that pass is known from
// those before it.
std::string cause_of_passes(const SpeculativeCase& one, const SpeculativeRun& found,
                            const SpeculativeRun& right) {
    const std::size_t both = std::min(found.passes.size(), right.passes.size());
    for (std::size_t i = 0; i < both; ++i) {
        const ReadPass &is = found.passes[i], &must = right.passes[i];
        if (is == must) continue;
        if (!is.kept) return "the model gets no cache, so it must read the whole text in each pass";
        if (*is.kept > *must.kept) {
            const std::size_t drafted = i == 0 ? 0 : right.passes[i - 1].tokens.size() - 1;
            return *is.kept - *must.kept == drafted && drafted > 1
                       ? "the cache still keeps all drafted tokens: drop those that went"
                       : "the cache keeps a token that went, or one that is read again: what it holds is the "
                         "text without its newest token, so drop as many as went";
        }
        if (*is.kept < *must.kept)
            return "the cache drops too many: a token that stays keeps its place. Of the " +
                   std::to_string(right.passes[i - 1].tokens.size()) +
                   " that were read, only those go that "
                   "accepted() left out";
        if (is.offset != must.offset)
            return "the offset is wrong: the next token stands behind all that the cache keeps, at "
                   "cache.next_position()";
        if (is.tokens.size() < must.tokens.size() && i > 0 && is.tokens.size() + 1 == must.tokens.size() &&
            std::equal(is.tokens.begin(), is.tokens.end(), must.tokens.begin() + 1))
            return "the model does not read the token that accepted() added; no pass has read it before";
        if (is.tokens.size() > one.length + 1 && i > 0)
            return "the pass reads more than what is new: the token that accepted() added, and the draft";
        if (is.tokens.size() > must.tokens.size() &&
            std::equal(must.tokens.begin(), must.tokens.end(), is.tokens.begin()))
            return must.tokens.back() == one.options.end_id
                       ? "the draft goes on behind end_id; nothing comes there"
                       : "the draft is longer than the room: one more token comes behind it";
        if (is.tokens.size() < must.tokens.size() &&
            std::equal(is.tokens.begin(), is.tokens.end(), must.tokens.begin()))
            return "the draft is shorter than it may be: `length` tokens where there is room for them and "
                   "one "
                   "more";
        return "";
    }
    return "";
}

// Whether no first pass has a draft, though some should.
bool reads_the_prompt_alone(const std::vector<SpeculativeCase>& cases,
                            const std::vector<SpeculativeRun>& found) {
    bool some = false;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (found[i].passes.empty()) continue;
        if (found[i].passes[0].tokens.size() > cases[i].prompt.size()) return false;
        some = some || cases[i].length > 2;
    }
    return some;
}

const std::vector<std::pair<Flaw, std::string>> known_flaws{
    {Flaw::logits_one_early,
     "the logits are taken one position too early: those at a token are for the token BEHIND it. Drafted "
     "token i is "
     "checked by the logits at the token before it"},
    {Flaw::logits_from_column_0,
     "drafted token i is checked by the logits of column i of the pass; the pass begins with `unread`, so "
     "the token before "
     "drafted token i is in column unread.size() - 1 + i"},
    {Flaw::logits_of_the_last, "all drafted tokens are checked by the logits of the last position"},
    {Flaw::end_passed_over,
     "tokens behind the end are added: when `add` returns false, the text has ended and the others are "
     "forgotten"},
    {Flaw::kept_are_passed_over,
     "tokens behind the end are added: when `add` returns false, the text has ended and the others are "
     "forgotten"},
    {Flaw::added_token_is_lost,
     "the text does not get the token that accepted() added behind the drafted ones; all that it returns "
     "belongs to the text"},
    {Flaw::rules_before_the_draft,
     "the rules see the text without the draft: at drafted token i they must see the i drafted tokens before "
     "it, "
     "too"},
    {Flaw::rules_behind_the_draft,
     "the rules see the whole draft at each place: at drafted token i they must see only the i before it"},
    {Flaw::no_rules, "the rules are not asked: take the probabilities from `texts.probabilities`"},
    {Flaw::rules_asked_everywhere,
     "the rules are asked after a drafted token that can't stay (its p is 0), or after the end, where they "
     "may allow nothing. Put any valid distribution there, such as the last row of p again"},
    {Flaw::zeros_after_the_end,
     "the rows of p after a drafted end are 0; accepted() draws from p[n] if the end stays. Put a valid "
     "distribution there, such as the last row again; what is drawn from it is thrown away"},
    {Flaw::goes_on_not_asked,
     "a text may be full before its first token: ask texts.goes_on(0) before each pass, the first one too"},
    {Flaw::never_left, "the loop is not left when the text has ended: ask texts.goes_on(0) before each pass"},
    {Flaw::drafts_behind_the_end, "the draft goes on behind end_id; nothing comes there"},
    {Flaw::no_sampling, "options.sampling is not used for the large model"},
    {Flaw::rules_for_the_draft,
     "rules or sampling change the draft's probabilities; they are used as they are"},
    {Flaw::draft_reads_the_text_alone,
     "the draft gets the same text for each of its tokens: it must see those that it has drafted already"},
    {Flaw::draft_is_greedy,
     "the draft's likeliest token is taken; it must be drawn from q, because accepted() counts on that"},
    {Flaw::draft_draws_alone,
     "the draft draws from a copy of `rng`, so accepted() gets the same draws once more; all draws come from "
     "one generator"},
    {Flaw::extra_token_is_counted, "`kept` counts the token that accepted() adds; that is none of the draft"},
    {Flaw::kept_counts_the_text,
     "`kept` counts what the text has got; it counts the drafted tokens that accepted() kept"},
    {Flaw::drafted_counts_the_kept, "`drafted` counts only the tokens that stay"},
    {Flaw::drafted_counts_the_room,
     "`drafted` counts what could be drafted, not what was: a draft ends with end_id, too"},
    {Flaw::drafted_counts_the_length, "`drafted` counts `length` for each pass; a draft may be shorter"},
    {Flaw::one_pass_less, "the first pass, which reads the prompt, is not counted in `passes`"}};

}  // namespace

std::string cause_of_runs(const std::vector<SpeculativeCase>& cases, const std::vector<SpeculativeRun>& found,
                          const std::vector<SpeculativeRun>& right) {
    for (const auto& [flaw, message] : known_flaws) {
        bool all = true, any = false;
        for (std::size_t i = 0; i < cases.size() && all; ++i) {
            const SpeculativeRun wrong = run_with(cases[i], flaw);
            all = same_run(found[i], wrong) || (!wrong.error.empty() && found[i].error == wrong.error);
            any = any || !same_run(right[i], wrong);
        }
        if (all && any) return likely_if(true, message);
    }
    if (reads_the_prompt_alone(cases, found))
        return likely_if(
            true,
            "the prompt has a pass of its own; the first pass reads the prompt and the first draft together");
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const std::string cause = cause_of_passes(cases[i], found[i], right[i]);
        if (!cause.empty()) return likely_if(true, cause);
    }
    return "";
}

}  // namespace tfs::test
