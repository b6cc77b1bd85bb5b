// tests/11_generation/speculative_suspects.cpp · the loop of drafts, written for the test, with one thing done wrong
#include "tests/11_generation/speculative_suspects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "chapters/11_generation/given/prompts.hpp"
#include "chapters/11_generation/models/texts.hpp"
#include "common/base/errors.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

namespace {

// Draws a draft and the probabilities that it was drawn from.
struct DrawnDraft {
    TokenIds text = {}, tokens = {};
    std::vector<std::vector<double>> q = {};
};

std::vector<double> through_the_options(const Texts& texts, const TokenIds& text,
                                        const std::vector<double>& q) {
    std::vector<float> logits;
    for (const double one : q) logits.push_back(static_cast<float>(std::log(one)));
    return texts.probabilities(text, logits);
}

DrawnDraft drawn_draft(const SpeculativeCase& one, const Texts& texts, Rng& rng, Flaw flaw,
                       std::vector<TokenIds>& told) {
    DrawnDraft result{.text = texts.text(0)};
    const std::size_t most = std::min(one.length, texts.room(0) - 1);
    while (result.tokens.size() < most) {
        const bool ended = !result.tokens.empty() && result.tokens.back() == one.options.end_id;
        if (ended && flaw != Flaw::drafts_behind_the_end) break;
        const TokenIds& read = flaw == Flaw::draft_reads_the_text_alone ? texts.text(0) : result.text;
        told.push_back(read);
        std::vector<double> q = one.draft(read);
        if (flaw == Flaw::rules_for_the_draft) q = through_the_options(texts, read, q);
        std::int64_t token = std::max_element(q.begin(), q.end()) - q.begin();
        if (flaw != Flaw::draft_is_greedy) token = sample(q, rng);
        result.q.push_back(q);
        result.tokens.push_back(token);
        result.text.push_back(token);
    }
    return result;
}

std::vector<std::vector<double>> checked_draft(const SpeculativeCase& one, const DrawnDraft& draft,
                                               const Tensor& logits, std::size_t unread, Flaw flaw) {
    std::vector<std::vector<double>> p;
    const std::size_t n = draft.tokens.size();
    for (std::size_t i = 0; i <= n; ++i) {
        std::size_t at = unread - 1 + i, seen = draft.text.size() - n + i;
        if (flaw == Flaw::logits_one_early) at -= at > 0 ? 1 : 0;
        if (flaw == Flaw::logits_of_the_last) at = unread - 1 + n;
        if (flaw == Flaw::rules_before_the_draft) seen = draft.text.size() - n;
        if (flaw == Flaw::rules_behind_the_draft) seen = draft.text.size();
        std::vector<float> scores = logits_at(logits, 0, at);
        const auto before = std::span(draft.text).first(seen);
        if (flaw != Flaw::no_rules)
            for (const LogitsRule& rule : one.options.rules) rule(before, scores);
        p.push_back(
            token_probabilities(scores, flaw == Flaw::no_sampling ? Sampling() : one.options.sampling));
        if (i == n || flaw == Flaw::rules_asked_everywhere) continue;
        const std::int64_t token = draft.tokens[i];
        const bool dead = p[i][static_cast<std::size_t>(token)] == 0.0 || token == one.options.end_id;
        if (dead && flaw != Flaw::drafts_behind_the_end) break;
    }
    p.resize(n + 1, p.back());
    return p;
}

void count(SpeculativeRun& run, std::size_t drafted, std::size_t tokens, std::size_t added,
           std::size_t length, Flaw flaw) {
    const std::size_t kept = tokens - 1;
    run.result.passes += 1;
    run.result.drafted += flaw == Flaw::drafted_counts_the_kept     ? kept
                          : flaw == Flaw::drafted_counts_the_length ? length
                                                                    : drafted;
    run.result.kept += flaw == Flaw::extra_token_is_counted ? tokens
                       : flaw == Flaw::kept_counts_the_text ? std::min(added, kept)
                                                            : kept;
}

void run_loop(const SpeculativeCase& one, const LanguageModel& model, Flaw flaw, Rng& rng,
              SpeculativeRun& run) {
    const NoGrad no_grad;
    KeyValueCache cache(model.max_len + one.length);
    Texts texts({one.prompt}, model, one.options);
    TokenIds unread = one.prompt;
    while (texts.goes_on(0)) {
        const DrawnDraft draft = drawn_draft(one, texts, rng, flaw, run.told);
        TokenIds read = unread;
        read.insert(read.end(), draft.tokens.begin(), draft.tokens.end());
        const Tensor logits = model.logits(columns({read}, 0, read.size()),
                                           {.offset = cache.next_position(), .earlier = &cache});
        const auto p = checked_draft(one, draft, logits, unread.size(), flaw);
        const TokenIds tokens = accepted_with({draft.tokens, draft.q, p}, rng);
        cache.drop({draft.tokens.size() + 1 - tokens.size()});
        unread = {tokens.back()};
        std::size_t added = 0;
        for (const std::int64_t token : tokens) {
            const bool goes_on = texts.add(0, token);
            added += token != one.options.end_id ? 1 : 0;
            if (!goes_on && flaw != Flaw::end_passed_over) break;
        }
        count(run, draft.tokens.size(), tokens.size(), added, one.length, flaw);
    }
    if (flaw == Flaw::one_pass_less && run.result.passes > 0) --run.result.passes;
    run.result.text = texts.result()[0];
}

// Runs it with a model that notes its passes.
template <class Loop>
SpeculativeRun noted(const SpeculativeCase& one, const Loop& loop) {
    SpeculativeRun run;
    Rng rng(one.seed);
    try {
        loop(watched(one.model, run.passes), rng, run);
    } catch (const NotImplemented&) {
        throw;
    } catch (const std::exception& error) {
        run.error = error.what();
    }
    run.rng = rng.state();
    return run;
}

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

const std::vector<std::pair<Flaw, std::string>> known_flaws{
    {Flaw::logits_one_early,
     "the logits are taken one position too early: those at a token are for the token BEHIND it. Drafted "
     "token i is "
     "checked by the logits at the token before it"},
    {Flaw::logits_of_the_last, "all drafted tokens are checked by the logits of the last position"},
    {Flaw::end_passed_over,
     "tokens behind the end are added: when `add` returns false, the text has ended and the others are "
     "forgotten"},
    {Flaw::rules_before_the_draft,
     "the rules see the text without the draft: at drafted token i they must see the i drafted tokens before "
     "it, "
     "too"},
    {Flaw::rules_behind_the_draft,
     "the rules see the whole draft at each place: at drafted token i they must see only the i before it"},
    {Flaw::no_rules, "the rules are not asked: take the probabilities from `texts.probabilities`"},
    {Flaw::rules_asked_everywhere,
     "the rules are asked behind a drafted token that can't stay (its p is 0), or behind the end, where they "
     "may allow nothing. "
     "Nobody looks at p there"},
    {Flaw::drafts_behind_the_end, "the draft goes on behind end_id; nothing comes there"},
    {Flaw::no_sampling, "options.sampling is not used for the large model"},
    {Flaw::rules_for_the_draft,
     "rules or sampling change the draft's probabilities; they are used as they are"},
    {Flaw::draft_reads_the_text_alone,
     "the draft gets the same text for each of its tokens: it must see those that it has drafted already"},
    {Flaw::draft_is_greedy,
     "the draft's likeliest token is taken; it must be drawn from q, because accepted() counts on that"},
    {Flaw::extra_token_is_counted, "`kept` counts the token that accepted() adds; that is none of the draft"},
    {Flaw::kept_counts_the_text,
     "`kept` counts what the text has got; it counts the drafted tokens that accepted() kept"},
    {Flaw::drafted_counts_the_kept, "`drafted` counts only the tokens that stay"},
    {Flaw::drafted_counts_the_length, "`drafted` counts `length` for each pass; a draft may be shorter"},
    {Flaw::one_pass_less, "the first pass, which reads the prompt, is not counted in `passes`"}};

}  // namespace

SpeculativeRun run_of_step(const SpeculativeCase& one) {
    return noted(one, [&](const LanguageModel& model, Rng& rng, SpeculativeRun& run) {
        const Draft draft = [&](std::span<const std::int64_t> text) {
            run.told.emplace_back(text.begin(), text.end());
            return one.draft(text);
        };
        run.result = generate_speculatively(model, draft, one.prompt, one.length, one.options, rng);
    });
}

SpeculativeRun run_with(const SpeculativeCase& one, Flaw flaw) {
    return noted(one, [&](const LanguageModel& model, Rng& rng, SpeculativeRun& run) {
        run_loop(one, model, flaw, rng, run);
    });
}

std::string cause_of_runs(const std::vector<SpeculativeCase>& cases,
                          const std::vector<SpeculativeRun>& found) {
    for (const auto& [flaw, message] : known_flaws) {
        bool all = true, any = false;
        for (std::size_t i = 0; i < cases.size() && all; ++i) {
            const SpeculativeRun wrong = run_with(cases[i], flaw);
            all = same_run(found[i], wrong) || (!wrong.error.empty() && !found[i].error.empty());
            any = any || !same_run(run_with(cases[i]), wrong);
        }
        if (all && any) return likely_if(true, message);
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const std::string cause = cause_of_passes(cases[i], found[i], run_with(cases[i]));
        if (!cause.empty()) return likely_if(true, cause);
    }
    return "";
}

}  // namespace tfs::test
