// tests/11_generation/wrong_generates.cpp · generate with one thing done wrong
#include "tests/11_generation/wrong_generates.hpp"

#include <algorithm>
#include <functional>

#include "chapters/11_generation/given/cache_rows.hpp"
#include "chapters/11_generation/given/prompts.hpp"
#include "chapters/11_generation/models/texts.hpp"

namespace tfs::test {

namespace {

enum class Fault {
    none,
    offset_forgotten,
    offset_one_less,
    offset_one_more,
    offset_of_the_longest,
    cache_forgotten,
    prefill_without_cache,
    text_read_again,
    text_read_again_with_cache,
    last_token_read_again,
    read_one_by_one,
    not_dropped,
    dropped_one_more,
    last_column,
    first_column,
    window_at_once,
    window_rest_left_out,
    last_column_after_window,
    first_rng,
    rng_of_the_row,
    copied_rngs,
    drawn_twice,
    largest_taken,
    sampling_left_out,
    rules_left_out,
    rules_see_the_prompt,
    rules_see_what_is_written,
    cache_not_picked,
    prompts_not_picked,
    picked_by_prompt,
    ended_read_once_more,
    ended_read_on,
};

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

    [[nodiscard]] bool has(Fault one) const { return fault == one; }

    [[nodiscard]] Offset offset() const {
        if (has(Fault::offset_forgotten)) return 0;
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
        logits = model.logits(columns(prompts, 0, at_once),
                              {.earlier = has(Fault::prefill_without_cache) ? nullptr : &cache});
        Numbers filled;
        for (const TokenIds& prompt : prompts) {
            last.push_back(std::min(prompt.size(), at_once) - 1);
            filled.push_back(at_once - 1 - last.back());
            if (has(Fault::dropped_one_more)) ++filled.back();
            if (has(Fault::last_column)) last.back() = at_once - 1;
            if (has(Fault::first_column)) last.back() = 0;
        }
        if (!has(Fault::not_dropped) && !has(Fault::prefill_without_cache)) cache.drop(filled);
        for (std::size_t t = at_once; t < most && !has(Fault::window_rest_left_out); ++t) {
            logits = model.logits(columns(prompts, t, t + 1), {.offset = offset(), .earlier = &cache});
            if (!has(Fault::last_column_after_window)) last.assign(prompts.size(), 0);
        }
        for (std::size_t i = 0; i < prompts.size(); ++i) prompt_of.push_back(i);
        if (!has(Fault::last_token_read_again)) return;
        TokenIds again;
        for (const TokenIds& prompt : prompts) again.push_back(prompt.back());
        logits = model.logits(one_each(again), {.offset = offset(), .earlier = &cache});
        last.assign(prompts.size(), 0);
    }

    std::int64_t drawn(std::size_t row, std::size_t prompt) {
        const TokenIds& text = texts.text(prompt);
        const auto own = logits_at(logits, row, last[row]);
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
        for (std::size_t row = 0; row < prompt_of.size(); ++row) {
            const std::size_t prompt = prompt_of[row];
            if (!texts.goes_on(prompt)) {
                if (!has(Fault::ended_read_on)) continue;
            } else {
                const std::int64_t token = drawn(row, prompt);
                const bool on = texts.add(prompt, token);
                any = any || on;
                if (!on && !has(Fault::ended_read_once_more) && !has(Fault::ended_read_on)) continue;
                if (!on && has(Fault::ended_read_once_more)) any = true;
            }
            rows.push_back(row);
            tokens.push_back(texts.text(prompt).back());
        }
        if (!any) return {};
        return {rows, tokens};
    }

    void read(const Numbers& rows, const TokenIds& tokens) {
        if (rows.size() < prompt_of.size() && !has(Fault::cache_not_picked)) {
            Numbers prompts_of_rows = picked(prompt_of, rows, 1);
            cache.pick(has(Fault::picked_by_prompt) ? prompts_of_rows : rows);
        }
        prompt_of = picked(prompt_of, rows, 1);
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
        last.assign(rows.size(), 0);
    }
};

Generate with(Fault fault) {
    return [fault](const LanguageModel& model, const std::vector<TokenIds>& prompts,
                   const GenerationOptions& options, std::vector<Rng>& rngs) {
        const NoGrad no_grad;
        std::vector<Rng> copies = rngs;
        Call call{fault, model, prompts, options, fault == Fault::copied_rngs ? copies : rngs};
        call.prefill();
        while (true) {
            const auto [rows, tokens] = call.next();
            if (rows.empty()) return call.texts.result();
            call.read(rows, tokens);
        }
    };
}

// Right, but the options or the result are changed.
Generate with_options(
    const std::function<void(GenerationOptions&)>& change,
    const std::function<void(std::vector<Generated>&, const GenerationOptions&)>& after = {}) {
    return [=](const LanguageModel& model, const std::vector<TokenIds>& prompts,
               const GenerationOptions& options, std::vector<Rng>& rngs) {
        GenerationOptions changed = options;
        if (change) change(changed);
        auto texts = with(Fault::none)(model, prompts, changed, rngs);
        if (after) after(texts, options);
        return texts;
    };
}

// Each prompt by itself; with one cache for all of them, or one for each.
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

}  // namespace

const std::vector<WrongGenerate>& wrong_generates() {
    using Options = GenerationOptions;
    static const std::vector<WrongGenerate> all{
        {"the pass of a new token has no offset: give it `.offset = cache.next_position()`",
         with(Fault::offset_forgotten)},
        {"the offset is one too small: the new token gets the position of the one before it",
         with(Fault::offset_one_less)},
        {"the offset is one too large: a position is left out", with(Fault::offset_one_more)},
        {"all rows get the offset of the longest text; each row has its own, `cache.next_position()`",
         with(Fault::offset_of_the_longest)},
        {"the pass of a new token does not get the cache: the model sees nothing of the text",
         with(Fault::cache_forgotten)},
        {"the prefill does not get the cache: nothing of the prompt is kept",
         with(Fault::prefill_without_cache)},
        {"the whole text is read again for every token; the cache keeps it, so the new token is enough",
         with(Fault::text_read_again)},
        {"the whole text is given although the cache keeps it already: give the new token alone",
         with(Fault::text_read_again_with_cache)},
        {"the last token of the prompt is read twice: the prefill gives the logits behind it",
         with(Fault::last_token_read_again)},
        {"the prompt is read one token at a time; the prefill reads it in one pass",
         with(Fault::read_one_by_one)},
        {"the shorter prompts keep what filled them up: `cache.drop` so many columns of each",
         with(Fault::not_dropped)},
        {"one column too many is dropped: the last token of a prompt is forgotten",
         with(Fault::dropped_one_more)},
        {"all rows use the logits of the last column; a shorter prompt has its last token before that",
         with(Fault::last_column)},
        {"the logits of the first column are used; those at the last token of the prompt say what follows it",
         with(Fault::first_column)},
        {"a prompt longer than the window is read in one pass; a full window takes one column at a time",
         with(Fault::window_at_once)},
        {"the columns of the prompt that don't fit into the window are never read",
         with(Fault::window_rest_left_out)},
        {"`last` still says a column of the first pass; behind a pass of one column it is 0",
         with(Fault::last_column_after_window)},
        {"one Rng draws for all prompts; prompt i has rngs[i]", with(Fault::first_rng)},
        {"the row of the pass says which Rng draws; when a text has ended, rows have other numbers than "
         "prompts",
         with(Fault::rng_of_the_row)},
        {"a copy of the Rng draws: the next call would draw the same numbers again",
         with(Fault::copied_rngs)},
        {"two numbers are drawn for a token; it takes one", with(Fault::drawn_twice)},
        {"the likeliest token is taken; draw one with `sample`", with(Fault::largest_taken)},
        {"options.sampling is not used", with(Fault::sampling_left_out)},
        {"the rules are not applied: texts.probabilities does it, token_probabilities does not",
         with(Fault::rules_left_out)},
        {"the rules see the prompt alone; they see the whole text so far", with(Fault::rules_see_the_prompt)},
        {"the rules don't see the prompt; they see the whole text so far",
         with(Fault::rules_see_what_is_written)},
        {"the rows of the texts that have ended stay in the cache: `cache.pick` those that go on",
         with(Fault::cache_not_picked)},
        {"when a text has ended, rows have other numbers than prompts: pick the list of prompts, too",
         with(Fault::prompts_not_picked)},
        {"`pick` gets numbers of prompts; it wants rows of the last pass", with(Fault::picked_by_prompt)},
        {"a text that has just ended takes part in one more pass; texts.add says whether it goes on",
         with(Fault::ended_read_once_more)},
        {"texts that have ended are read on until the last one ends", with(Fault::ended_read_on)},
        {"the prompts are continued one after the other; all of them go through the model in one batch",
         one_after_the_other(false)},
        {"one cache is used for several texts, one after the other: the second text sees the first",
         one_after_the_other(true)},
        {"one token too many is written", with_options([](Options& o) { ++o.new_tokens; })},
        {"one token too few is written: the last one is missing",
         with_options([](Options& o) { o.new_tokens -= o.new_tokens > 0 ? 1 : 0; })},
        {"end_id is not looked at", with_options([](Options& o) { o.end_id = std::nullopt; })},
        {"end_id is added to the text; it ends the text and is no part of it",
         with_options({},
                      [](std::vector<Generated>& texts, const Options& options) {
                          for (Generated& text : texts)
                              if (text.ended == Ended::end_id) text.tokens.push_back(*options.end_id);
                      })},
        {"on_token is never called", with_options([](Options& o) { o.on_token = nullptr; })},
        {"what on_token returns is not looked at: false ends this text", with_options([](Options& o) {
             if (o.on_token)
                 o.on_token = [tell = o.on_token](std::size_t prompt, std::int64_t token) {
                     (void)tell(prompt, token);
                     return true;
                 };
         })},
        {"the result begins with the prompt; it has the new tokens alone",
         [](const LanguageModel& model, const std::vector<TokenIds>& prompts, const Options& options,
            std::vector<Rng>& rngs) {
             auto texts = with(Fault::none)(model, prompts, options, rngs);
             for (std::size_t i = 0; i < texts.size(); ++i)
                 texts[i].tokens.insert(texts[i].tokens.begin(), prompts[i].begin(), prompts[i].end());
             return texts;
         }},
    };
    return all;
}

}  // namespace tfs::test
