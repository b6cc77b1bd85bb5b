// tests/11_generation/wrong_generates.cpp · generate with one thing done wrong
#include "tests/11_generation/wrong_generates.hpp"

#include <functional>

#include "tests/11_generation/faulty_generate.hpp"

namespace tfs::test {

namespace {

// Right, but the options or the result are changed.
Generate with_options(
    const std::function<void(GenerationOptions&)>& change,
    const std::function<void(std::vector<Generated>&, const GenerationOptions&)>& after = {}) {
    return [=](const LanguageModel& model, const std::vector<TokenIds>& prompts,
               const GenerationOptions& options, std::vector<Rng>& rngs) {
        GenerationOptions changed = options;
        if (change) change(changed);
        auto texts = with_fault(Fault::none)(model, prompts, changed, rngs);
        if (after) after(texts, options);
        return texts;
    };
}

}  // namespace

const std::vector<WrongGenerate>& wrong_generates() {
    using Options = GenerationOptions;
    static const std::vector<WrongGenerate> all{
        {"the pass of a new token has no offset: give it `.offset = cache.next_position()`",
         with_fault(Fault::offset_forgotten)},
        {"the offset is one too small: the new token gets the position of the one before it",
         with_fault(Fault::offset_one_less)},
        {"the offset is one too large: a position is left out", with_fault(Fault::offset_one_more)},
        {"all rows get the offset of the longest text; each row has its own, `cache.next_position()`",
         with_fault(Fault::offset_of_the_longest)},
        {"the pass of a new token does not get the cache: the model sees nothing of the text",
         with_fault(Fault::cache_forgotten)},
        {"the prefill does not get the cache: nothing of the prompt is kept",
         with_fault(Fault::prefill_without_cache)},
        {"the whole text is read again for every token; the cache keeps it, so the new token is enough",
         with_fault(Fault::text_read_again)},
        {"the whole text is given although the cache keeps it already: give the new token alone",
         with_fault(Fault::text_read_again_with_cache)},
        {"the last token of the prompt is read twice: the prefill gives the logits behind it",
         with_fault(Fault::last_token_read_again)},
        {"the prompt is read one token at a time; the prefill reads it in one pass",
         with_fault(Fault::read_one_by_one)},
        {"the shorter prompts keep what filled them up: `cache.drop` so many columns of each",
         with_fault(Fault::not_dropped)},
        {"one column too many is dropped: the last token of a prompt is forgotten",
         with_fault(Fault::dropped_one_more)},
        {"all rows use the logits of the last column; a shorter prompt has its last token before that",
         with_fault(Fault::last_column)},
        {"the logits of the first column are used; those at the last token of the prompt say what follows it",
         with_fault(Fault::first_column)},
        {"a prompt longer than the window is read in one pass; a full window takes one column at a time",
         with_fault(Fault::window_at_once)},
        {"the columns of the prompt that don't fit into the window are never read",
         with_fault(Fault::window_rest_left_out)},
        {"after a prompt longer than the window the place of its last token is still that of the first pass; "
         "after a pass of one column it is 0",
         with_fault(Fault::last_column_after_window)},
        {"the last token of a prompt longer than the window is looked up at prompt.size() - 1; after a pass "
         "of one column its place is 0",
         with_fault(Fault::last_of_the_prompt_after_window)},
        {"one Rng draws for all prompts; prompt i has rngs[i]", with_fault(Fault::first_rng)},
        {"the row of the pass says which Rng draws; when a text has ended, rows have other numbers than "
         "prompts",
         with_fault(Fault::rng_of_the_row)},
        {"rngs[prompt] does not move: a copy of it draws, or another Rng, and the next call would draw the "
         "same numbers",
         with_fault(Fault::copied_rngs)},
        {"two numbers are drawn for a token; it takes one", with_fault(Fault::drawn_twice)},
        {"the likeliest token is taken; draw one with `sample`", with_fault(Fault::largest_taken)},
        {"options.sampling is not used", with_fault(Fault::sampling_left_out)},
        {"the rules are not applied: texts.probabilities does it, token_probabilities does not",
         with_fault(Fault::rules_left_out)},
        {"the rules see the prompt alone; they see the whole text so far",
         with_fault(Fault::rules_see_the_prompt)},
        {"the rules don't see the prompt; they see the whole text so far",
         with_fault(Fault::rules_see_what_is_written)},
        {"the rows of the texts that have ended stay in the cache: `cache.pick` those that go on",
         with_fault(Fault::cache_not_picked)},
        {"when a text has ended, rows have other numbers than prompts: pick the list of prompts, too",
         with_fault(Fault::prompts_not_picked)},
        {"`pick` gets numbers of prompts; it wants rows of the last pass",
         with_fault(Fault::picked_by_prompt)},
        {"a text that has just ended takes part in one more pass; texts.add says whether it goes on",
         with_fault(Fault::ended_read_once_more)},
        {"texts that have ended are read on until the last one ends", with_fault(Fault::ended_read_on)},
        {"a text that is full from the start gets a token; texts.goes_on says whether one may come",
         with_fault(Fault::full_not_seen)},
        {"the prompts are continued one after the other; all of them go through the model in one batch",
         one_after_the_other(false)},
        {"one cache is used for several texts, one after the other: the second text sees the first",
         one_after_the_other(true)},
        {"the place of the last token is still that of the prefill; after a pass of one column it is 0",
         with_fault(Fault::last_not_reset)},
        {"the newest token is looked up at its position in the text; after a pass of one column its place in "
         "the logits is 0",
         with_fault(Fault::last_of_the_text)},
        {"`logits_at` gets the number of the prompt; it wants the row of the last pass",
         with_fault(Fault::logits_of_the_prompt)},
        {"`drop` gets how many columns stay; it wants how many go, those that filled up a prompt",
         with_fault(Fault::dropped_what_stays)},
        {"the columns behind the window have no offset: give them `.offset = cache.next_position()`",
         with_fault(Fault::window_without_offset)},
        {"all texts end with the first one that ends", with_fault(Fault::all_end_with_the_first)},
        {"the text of another prompt is looked at: texts have the numbers of prompts, not of rows",
         with_fault(Fault::text_of_the_row)},
        {"the token is added to another text: texts have the numbers of prompts, not of rows",
         with_fault(Fault::added_to_the_row)},
        {"the token before the new one is read once more; the new one comes next",
         with_fault(Fault::token_before_read)},
        {"the offset counts the new tokens alone; positions count the prompt, too",
         with_fault(Fault::offset_counts_new_tokens)},
        {"the new tokens go to other rows: they must be in the order of `rows`",
         with_fault(Fault::tokens_in_other_order)},
        {"the position of the new token is dropped after its pass: the next token does not see it",
         with_fault(Fault::new_token_dropped)},
        {"the rows of the last pass are taken for prompts: pick the list of prompts, `picked(prompt_of, "
         "rows, 1)`",
         with_fault(Fault::rows_for_prompts)},
        {"of a prompt longer than the window the first pass has as many columns as the window: the last one "
         "is there",
         with_fault(Fault::last_not_cut)},
        {"the first pass is as short as the shortest prompt; shorter prompts are filled up, so that all are "
         "read at once",
         with_fault(Fault::as_many_as_the_shortest)},
        {"the logits of row 0 are used for every text; each has its own row",
         with_fault(Fault::logits_of_row_0)},
        {"one column too few is dropped: a shorter prompt keeps one that filled it up",
         with_fault(Fault::dropped_one_less)},
        {"the logits before the last token of the prompt are used; those at the last one say what follows",
         with_fault(Fault::column_before_the_last)},
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
        {"on_token does not hear of the last token of a text; it is told each token as soon as it is drawn",
         with_fault(Fault::last_not_told)},
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
             auto texts = with_fault(Fault::none)(model, prompts, options, rngs);
             for (std::size_t i = 0; i < texts.size(); ++i)
                 texts[i].tokens.insert(texts[i].tokens.begin(), prompts[i].begin(), prompts[i].end());
             return texts;
         }},
    };
    return all;
}

}  // namespace tfs::test
