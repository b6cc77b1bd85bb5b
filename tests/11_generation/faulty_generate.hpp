// tests/11_generation/faulty_generate.hpp · generate, in which one place may have a fault
#pragma once

#include "tests/11_generation/story.hpp"

namespace tfs::test {

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
    full_not_seen,
    last_not_told,
    last_not_reset,
    dropped_what_stays,
    window_without_offset,
    all_end_with_the_first,
    text_of_the_row,
    added_to_the_row,
    token_before_read,
    offset_counts_new_tokens,
    tokens_in_other_order,
    new_token_dropped,
    rows_for_prompts,
    last_not_cut,
    as_many_as_the_shortest,
    logits_of_row_0,
    dropped_one_less,
    column_before_the_last,
    last_of_the_prompt_after_window,
    last_of_the_text,
    logits_of_the_prompt,
};

Generate with_fault(Fault fault);

// Each prompt by itself; with one cache for all of them, or one for each.
Generate one_after_the_other(bool one_cache);

}  // namespace tfs::test
