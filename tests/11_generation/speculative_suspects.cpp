// tests/11_generation/speculative_suspects.cpp · the loop of drafts, written for the test, with one thing done wrong
#include "tests/11_generation/speculative_suspects.hpp"

#include <algorithm>
#include <cmath>

#include "chapters/11_generation/given/prompts.hpp"
#include "chapters/11_generation/models/texts.hpp"
#include "common/base/errors.hpp"

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
    Rng copy = rng;
    Rng& of_draft = flaw == Flaw::draft_draws_alone ? copy : rng;
    while (result.tokens.size() < most) {
        const bool ended = !result.tokens.empty() && result.tokens.back() == one.options.end_id;
        if (ended && flaw != Flaw::drafts_behind_the_end) break;
        const TokenIds& read = flaw == Flaw::draft_reads_the_text_alone ? texts.text(0) : result.text;
        told.push_back(read);
        std::vector<double> q = one.draft(read);
        if (flaw == Flaw::rules_for_the_draft) q = through_the_options(texts, read, q);
        std::int64_t token = std::max_element(q.begin(), q.end()) - q.begin();
        if (flaw != Flaw::draft_is_greedy) token = sample(q, of_draft);
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
        if (flaw == Flaw::logits_from_column_0) at = i;
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
    p.resize(n + 1, flaw == Flaw::zeros_after_the_end ? std::vector<double>(p.back().size(), 0.0) : p.back());
    return p;
}

void count(SpeculativeRun& run, std::size_t drafted, std::size_t room, std::size_t tokens, std::size_t added,
           std::size_t length, Flaw flaw) {
    const std::size_t kept = tokens - 1;
    run.result.passes += 1;
    run.result.drafted += flaw == Flaw::drafted_counts_the_kept     ? kept
                          : flaw == Flaw::drafted_counts_the_length ? length
                          : flaw == Flaw::drafted_counts_the_room   ? std::min(length, room - 1)
                                                                    : drafted;
    run.result.kept += flaw == Flaw::extra_token_is_counted ? tokens
                       : flaw == Flaw::kept_counts_the_text ? std::min(added, kept)
                                                            : kept;
}

void run_loop(const SpeculativeCase& one, const LanguageModel& model, Flaw flaw, Rng& rng,
              SpeculativeRun& run) {
    const NoGrad no_grad;
    KeyValueCache cache(std::min(model.max_len, one.prompt.size() + one.options.new_tokens));
    Texts texts({one.prompt}, model, one.options);
    TokenIds unread = one.prompt;
    const bool asks = flaw != Flaw::goes_on_not_asked && flaw != Flaw::never_left;
    bool left = false;
    while (asks ? texts.goes_on(0) : !left) {
        const std::size_t room = texts.room(0);
        const DrawnDraft draft = drawn_draft(one, texts, rng, flaw, run.told);
        TokenIds read = unread;
        read.insert(read.end(), draft.tokens.begin(), draft.tokens.end());
        const Tensor logits = model.logits(columns({read}, 0, read.size()),
                                           {.offset = cache.next_position(), .earlier = &cache});
        const auto p = checked_draft(one, draft, logits, unread.size(), flaw);
        const TokenIds tokens = accepted_with({draft.tokens, draft.q, p}, rng);
        cache.drop({draft.tokens.size() + 1 - tokens.size()});
        unread = {tokens.back()};
        std::size_t added = 0, left_over = tokens.size();
        const bool lost = flaw == Flaw::added_token_is_lost && tokens.size() > 1;
        for (const std::int64_t token : std::span(tokens).first(tokens.size() - (lost ? 1 : 0))) {
            --left_over;
            if (flaw == Flaw::kept_are_passed_over && left_over == 0 && !texts.goes_on(0)) break;
            const bool goes_on = texts.add(0, token);
            added += token != one.options.end_id ? 1 : 0;
            left = left || (!goes_on && flaw == Flaw::goes_on_not_asked);
            if (!goes_on && flaw != Flaw::end_passed_over && flaw != Flaw::kept_are_passed_over) break;
        }
        count(run, draft.tokens.size(), room, tokens.size(), added, one.length, flaw);
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

}  // namespace tfs::test
