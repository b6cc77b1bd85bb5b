// tests/11_generation/faulty_generate.cpp · generate, in which one place may have a fault
#include "tests/11_generation/faulty_generate.hpp"

#include <algorithm>
#include <utility>

#include "chapters/11_generation/given/cache_rows.hpp"
#include "chapters/11_generation/given/prompts.hpp"
#include "chapters/11_generation/models/texts.hpp"

namespace tfs::test {

namespace {

using Numbers = std::vector<std::size_t>;

// The state of one call. Every place where a fault may be asks for it.
struct Call {
    Fault fault;
    const LanguageModel& model;
    const std::vector<TokenIds>& prompts;
    const GenerationOptions& options;
    std::vector<Rng>& rngs;
    std::size_t most = longest(prompts);
    KeyValueCache cache{std::min(model.max_len, most + options.new_tokens), options.window};
    Texts texts{prompts, model, options};
    Tensor logits = Tensor::zeros({1});
    Numbers last = {}, prompt_of = {};
    std::size_t passes = 0;                                              // of new tokens
    std::function<bool(std::size_t, std::int64_t)> tell_here = nullptr;  // of tokens that are read later

    [[nodiscard]] bool has(Fault one) const { return fault == one; }

    [[nodiscard]] Offset offset() const {
        if (has(Fault::offset_forgotten)) return 0;
        if (has(Fault::offset_counts_new_tokens)) return passes - 1;
        const Offset right = cache.next_position();
        if (has(Fault::offset_of_the_longest)) return right.largest();
        Numbers each;
        for (std::size_t row = 0; row < right.rows(); ++row)
            each.push_back(right[row] + (has(Fault::offset_one_more) ? 1 : 0) -
                           (has(Fault::offset_one_less) ? 1 : 0));
        return each;
    }

    void prefill() {
        std::size_t at_once = std::min(most, options.window.value_or(most));
        if (has(Fault::window_at_once)) at_once = most;
        if (has(Fault::read_one_by_one)) at_once = 1;
        for (const TokenIds& prompt : prompts)
            if (has(Fault::as_many_as_the_shortest)) at_once = std::min(at_once, prompt.size());
        logits = model.logits(columns(prompts, 0, at_once),
                              {.earlier = has(Fault::prefill_without_cache) ? nullptr : &cache});
        Numbers filled;
        for (const TokenIds& prompt : prompts) {
            last.push_back((has(Fault::last_not_cut) ? prompt.size() : std::min(prompt.size(), at_once)) - 1);
            filled.push_back(at_once - 1 - last.back());
            if (has(Fault::dropped_one_more)) ++filled.back();
            if (has(Fault::dropped_what_stays)) filled.back() = last.back();
            if (has(Fault::dropped_one_less) && filled.back() > 0) --filled.back();
            if (has(Fault::column_before_the_last) && last.back() > 0) --last.back();
            if (has(Fault::last_column)) last.back() = at_once - 1;
            if (has(Fault::first_column)) last.back() = 0;
            if (has(Fault::last_of_the_prompt_after_window)) last.back() = prompt.size() - 1;
        }
        if (!has(Fault::not_dropped) && !has(Fault::prefill_without_cache)) cache.drop(filled);
        for (std::size_t t = at_once; t < most && !has(Fault::window_rest_left_out); ++t) {
            const Offset position = has(Fault::window_without_offset) ? 0 : offset();
            logits = model.logits(columns(prompts, t, t + 1), {.offset = position, .earlier = &cache});
            if (!has(Fault::last_column_after_window) && !has(Fault::last_of_the_prompt_after_window))
                last.assign(prompts.size(), 0);
        }
        for (std::size_t i = 0; i < prompts.size(); ++i) prompt_of.push_back(i);
        if (!has(Fault::last_token_read_again)) return;
        TokenIds again;
        for (const TokenIds& prompt : prompts) again.push_back(prompt.back());
        logits = model.logits(one_each(again), {.offset = offset(), .earlier = &cache});
        last.assign(prompts.size(), 0);
    }

    std::int64_t drawn(std::size_t row, std::size_t prompt) {
        const TokenIds& text = texts.text(has(Fault::text_of_the_row) ? row : prompt);
        const std::size_t of_logits = has(Fault::logits_of_row_0)        ? 0
                                      : has(Fault::logits_of_the_prompt) ? prompt
                                                                         : row;
        const auto own =
            logits_at(logits, of_logits, has(Fault::last_of_the_text) ? text.size() - 1 : last[row]);
        std::vector<double> p;
        if (has(Fault::rules_left_out))
            p = token_probabilities(own, options.sampling);
        else if (has(Fault::rules_see_the_prompt))
            p = texts.probabilities(prompts[prompt], own);
        else if (has(Fault::rules_see_what_is_written))
            p = texts.probabilities(std::span(text).subspan(prompts[prompt].size()), own);
        else
            p = texts.probabilities(text, own);
        if (has(Fault::sampling_left_out)) p = token_probabilities(own);
        if (has(Fault::largest_taken)) return std::max_element(p.begin(), p.end()) - p.begin();
        Rng& rng = rngs[has(Fault::first_rng) ? 0 : has(Fault::rng_of_the_row) ? row : prompt];
        if (has(Fault::drawn_twice)) (void)sample(p, rng);
        return sample(p, rng);
    }

    // The rows that go on, with their newest tokens.
    std::pair<Numbers, TokenIds> next() {
        Numbers rows;
        TokenIds tokens;
        bool any = false;
        std::int64_t before = 0;
        for (std::size_t row = 0; row < prompt_of.size(); ++row) {
            const std::size_t prompt = prompt_of[row];
            if (!texts.goes_on(prompt) && !has(Fault::full_not_seen)) {
                if (!has(Fault::ended_read_on)) continue;
            } else {
                const std::int64_t token = drawn(row, prompt);
                before = texts.text(prompt).back();
                const bool on = texts.add(has(Fault::added_to_the_row) ? row : prompt, token);
                if (on && tell_here) tell_here(prompt, token);
                any = any || on;
                if (!on && !has(Fault::ended_read_once_more) && !has(Fault::ended_read_on)) continue;
                if (!on && has(Fault::ended_read_once_more)) any = true;
            }
            rows.push_back(row);
            tokens.push_back(has(Fault::token_before_read) ? before : texts.text(prompt).back());
        }
        if (has(Fault::tokens_in_other_order)) std::reverse(tokens.begin(), tokens.end());
        if (!any || (has(Fault::all_end_with_the_first) && rows.size() < prompt_of.size())) return {};
        return {rows, tokens};
    }

    void read(const Numbers& rows, const TokenIds& tokens) {
        ++passes;
        if (rows.size() < prompt_of.size() && !has(Fault::cache_not_picked)) {
            Numbers prompts_of_rows = picked(prompt_of, rows, 1);
            cache.pick(has(Fault::picked_by_prompt) ? prompts_of_rows : rows);
        }
        prompt_of = has(Fault::rows_for_prompts) ? rows : picked(prompt_of, rows, 1);
        if (has(Fault::prompts_not_picked))
            for (std::size_t i = 0; i < prompt_of.size(); ++i) prompt_of[i] = i;
        if (has(Fault::text_read_again) || has(Fault::text_read_again_with_cache)) {
            std::vector<TokenIds> whole;
            for (const std::size_t prompt : prompt_of) whole.push_back(texts.text(prompt));
            const bool cached = has(Fault::text_read_again_with_cache);
            logits = model.logits(columns(whole, 0, longest(whole)),
                                  {.offset = cached ? offset() : 0, .earlier = cached ? &cache : nullptr});
            last.clear();
            for (const TokenIds& text : whole) last.push_back(text.size() - 1);
            return;
        }
        logits = model.logits(one_each(tokens), {.offset = offset(),
                                                 .earlier = has(Fault::cache_forgotten) ? nullptr : &cache});
        if (has(Fault::new_token_dropped)) cache.drop(Numbers(rows.size(), 1));
        if (!has(Fault::last_not_reset)) last.assign(rows.size(), 0);
    }
};

}  // namespace

Generate with_fault(Fault fault) {
    return [fault](const LanguageModel& model, const std::vector<TokenIds>& prompts,
                   const GenerationOptions& options, std::vector<Rng>& rngs) {
        const NoGrad no_grad;
        std::vector<Rng> copies = rngs;
        GenerationOptions own = options;
        if (fault == Fault::last_not_told) own.on_token = nullptr;
        Call call{fault, model, prompts, own, fault == Fault::copied_rngs ? copies : rngs};
        if (fault == Fault::last_not_told) call.tell_here = options.on_token;
        call.prefill();
        while (true) {
            const auto [rows, tokens] = call.next();
            if (rows.empty()) return call.texts.result();
            call.read(rows, tokens);
        }
    };
}

Generate one_after_the_other(bool one_cache) {
    return [one_cache](const LanguageModel& model, const std::vector<TokenIds>& prompts,
                       const GenerationOptions& options, std::vector<Rng>& rngs) {
        const NoGrad no_grad;
        Texts texts(prompts, model, options);
        const std::size_t room = std::min(model.max_len, longest(prompts) + options.new_tokens);
        KeyValueCache cache(room, options.window);
        for (std::size_t i = 0; i < prompts.size(); ++i) {
            if (!one_cache) cache = KeyValueCache(room, options.window);
            Tensor logits = model.logits(columns({prompts[i]}, 0, prompts[i].size()),
                                         {.offset = cache.next_position(), .earlier = &cache});
            while (texts.goes_on(i)) {
                const auto p = texts.probabilities(texts.text(i), logits_at(logits, 0, logits.size(1) - 1));
                const std::int64_t token = sample(p, rngs[i]);
                if (texts.add(i, token))
                    logits =
                        model.logits(one_each({token}), {.offset = cache.next_position(), .earlier = &cache});
            }
        }
        return texts.result();
    };
}

}  // namespace tfs::test
