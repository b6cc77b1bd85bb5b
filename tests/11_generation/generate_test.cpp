// tests/11_generation/generate_test.cpp · step generate: what the model is given, and the texts of models of chapter 09
#include <algorithm>
#include <string>

#include "tests/11_generation/cached_logits.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/11_generation/story.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const std::vector<TokenIds> unequal_prompts{{3, 1, 4, 1, 5}, {9, 2}, {6, 5, 3, 5}};

// --- what the model is given, and what comes of it

TEST(generate, reads_a_prompt_once_and_then_each_new_token) {
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4}}}));
    EXPECT_TRUE(does_it_right({.prompts = {{7}}, .new_tokens = 9}));
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4, 1, 5}}, .new_tokens = 1}));
}

TEST(generate, continues_prompts_of_different_lengths_together) {
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4, 1}, {9, 2, 6, 5}}}));
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts}));
    EXPECT_TRUE(does_it_right({.prompts = {{9}, {3, 1, 4, 1, 5, 9}, {9}}}));
}

// Each of the prompts meets an end in one of these.
TEST(generate, a_text_ends_with_end_id_and_takes_no_part_in_later_passes) {
    for (std::int64_t end_id = 0; end_id < 6; ++end_id)
        ASSERT_TRUE(
            does_it_right({.prompts = unequal_prompts, .new_tokens = 8, .end_id = end_id, .tells = true}))
            << "end_id is " << end_id;
}

// The prompts are 5, 2 and 4 long, and the model reads 7 tokens.
TEST(generate, a_text_that_is_full_ends) {
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts, .max_len = 7}));
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts, .new_tokens = 3, .max_len = 7}));
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts, .new_tokens = 4, .max_len = 5}))
        << "the first prompt is full from the start";
}

TEST(generate, tells_each_token_at_once_and_stops_where_it_is_told) {
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4}}, .new_tokens = 4, .tells = true}));
    for (std::int64_t stop = 0; stop < 6; ++stop)
        ASSERT_TRUE(does_it_right({.prompts = unequal_prompts, .new_tokens = 8, .stop = stop}))
            << "on_token says false after token " << stop;
}

TEST(generate, asks_the_rules_about_the_whole_text) {
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4}}, .rule = true}));
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts, .end_id = 3, .rule = true}));
}

TEST(generate, draws_as_the_options_say) {
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts, .sampling = {.temperature = 0.2, .top_k = 3}}));
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts, .sampling = {.temperature = 0.7, .top_p = 0.9}}));
    EXPECT_TRUE(does_it_right({.prompts = unequal_prompts, .sampling = {.temperature = 0.0}}))
        << "at temperature 0, too, each token takes one number";
}

TEST(generate, reads_a_prompt_longer_than_the_window_in_parts) {
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4}}, .new_tokens = 7, .window = 4}));
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4, 1, 5, 9, 2}, {2, 7, 1, 8, 2, 8, 1}}, .window = 4}));
    EXPECT_TRUE(does_it_right({.prompts = {{3, 1, 4}}, .window = 1}));
    EXPECT_TRUE(does_it_right(
        {.prompts = {{3, 1, 4, 1}, {2, 7, 1, 8}, {6, 6, 6, 6}}, .new_tokens = 12, .end_id = 5, .window = 4}));
}

// Many small tasks with all that there is.
TEST(generate, does_it_right_whatever_is_asked) {
    Rng rng(4);
    for (std::size_t trial = 0; trial < 80; ++trial) {
        Task task{.prompts = {}, .new_tokens = 1 + rng.below(8), .max_len = 6 + rng.below(12)};
        task.prompts.resize(1 + rng.below(4));
        if (rng.below(3) == 0) task.window = 1 + rng.below(6);
        const std::size_t length = 1 + rng.below(5);
        for (TokenIds& prompt : task.prompts) {
            prompt.resize(task.window ? length : 1 + rng.below(5));
            for (std::int64_t& token : prompt) token = static_cast<std::int64_t>(rng.below(11));
        }
        if (rng.below(2) == 0) task.end_id = static_cast<std::int64_t>(rng.below(11));
        if (rng.below(3) == 0) task.stop = static_cast<std::int64_t>(rng.below(11));
        task.rule = rng.below(3) == 0;
        task.sampling.temperature = 0.5 + rng.uniform();
        ASSERT_TRUE(does_it_right(task)) << "task " << trial;
    }
}

// --- nothing to write, and what is refused

TEST(generate, writes_nothing_where_there_is_no_room) {
    for (const bool full : {false, true}) {
        const std::string why = full ? "the prompt is max_len long" : "new_tokens is 0";
        Story story;
        const LanguageModel model = telling_model(full ? 3 : 24, std::nullopt, &story);
        std::vector<Rng> rngs{Rng(1)};
        const auto texts = generate(model, {{3, 1, 4}}, {.new_tokens = full ? std::size_t{5} : 0}, rngs);
        ASSERT_EQ(texts.size(), 1u);
        EXPECT_EQ(texts[0].tokens, TokenIds()) << why;
        EXPECT_EQ(in_words(texts[0].ended), full ? "full" : "count") << why;
        EXPECT_LE(story.size(), 2u) << "the lines of one pass, or none: " << why;
        EXPECT_EQ(rngs[0].uniform(), Rng(1).uniform()) << "the next number of the Rng: no token may come";
    }
}

TEST(generate, refuses_what_can_not_be_continued) {
    const LanguageModel model = telling_model(6);
    const auto generated = [&](const std::vector<TokenIds>& prompts, const GenerationOptions& options,
                               std::size_t count) {
        std::vector<Rng> rngs(count, Rng(1));
        (void)generate(model, prompts, options, rngs);
    };
    generated({{1, 2, 3, 4, 5}}, {}, 1);
    EXPECT_TRUE(refuses<ValueError>([&] { generated({}, {}, 0); }, {"no prompt"}));
    EXPECT_TRUE(refuses<ValueError>([&] { generated({{1}, {}}, {}, 2); }, {"empty"}));
    EXPECT_TRUE(refuses<ValueError>([&] { generated({{1}, {1, 2, 3, 4, 5, 6, 7}}, {}, 2); }, {"7", "6"}));
    EXPECT_TRUE(refuses<ValueError>([&] { generated({{1}, {2}}, {}, 1); }, {"2", "1"}));
    EXPECT_TRUE(refuses<ValueError>([&] { generated({{1}, {2, 3}}, {.window = 2}, 2); }, {"1", "2"}));
    EXPECT_TRUE(refuses<ValueError>([&] { generated({{1}}, {.sampling = {.top_p = 0.0}}, 1); }, {"top_p"}));
    const LogitsRule nothing = [](std::span<const std::int64_t>, std::span<float> logits) {
        std::fill(logits.begin(), logits.end(), -infinity);
    };
    EXPECT_TRUE(refuses<ValueError>([&] { generated({{1}}, {.rules = {nothing}}, 1); }, {"-inf"},
                                    "a rule that leaves no token"));
}

// --- models of chapter 09

TEST(generate, writes_what_a_model_without_a_cache_writes_alone_and_in_a_batch) {
    for (const NamedWriter& writer : named_writers()) {
        const LanguageModel model = writer.reads();
        const GenerationOptions options{.new_tokens = 16, .end_id = 7};
        std::vector<Rng> rngs{Rng(1), Rng(2), Rng(3)};
        const auto together = generate(model, unequal_prompts, options, rngs);
        for (std::size_t i = 0; i < 3; ++i) {
            std::vector<Rng> one{Rng(1 + i)};
            const auto alone = generate(model, {unequal_prompts[i]}, options, one);
            const TokenIds right = written_without_cache(model, unequal_prompts[i], options, Rng(1 + i));
            ASSERT_EQ(together.at(i).tokens, right) << writer.name << ", prompt " << i;
            ASSERT_EQ(alone.at(0).tokens, right) << writer.name << ", prompt " << i << " alone";
        }
    }
}

// The logits are those of the blocks with a mask of chapter 02.
TEST(generate, writes_with_a_window_what_a_mask_of_a_window_writes) {
    const std::vector<TokenIds> prompts{{3, 1, 4, 1, 5, 9, 2}, {2, 7, 1, 8, 2, 8, 1}};
    for (const NamedWriter& writer : named_writers())
        for (const std::size_t window : {std::size_t{3}, std::size_t{9}}) {
            if (writer.is_translator()) continue;
            const LanguageModel model{
                .vocab_size = 11, .max_len = 24, .logits = [&](const Ids& ids, const Pass&) {
                    return logits_in_window(writer.model, TokenIds(ids.begin(), ids.end()), window);
                }};
            const GenerationOptions options{.new_tokens = 9, .end_id = 7, .window = window};
            std::vector<Rng> rngs{Rng(1), Rng(2)};
            const auto texts = generate(writer.reads(), prompts, options, rngs);
            for (std::size_t i = 0; i < 2; ++i)
                ASSERT_EQ(texts.at(i).tokens, written_without_cache(model, prompts[i], options, Rng(1 + i)))
                    << writer.name << ", window " << window << ", prompt " << i;
        }
}

}  // namespace
}  // namespace tfs::test
