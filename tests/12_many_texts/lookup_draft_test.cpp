// tests/12_many_texts/lookup_draft_test.cpp · step lookup_draft: by what it does for texts of the trained decoder
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/12_many_texts/given/many_texts.hpp"
#include "common/io/weights.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/support/runs.hpp"

namespace tfs::test {
namespace {

struct Looked {
    std::string prompt;
    Speculation drafted;
    TokenIds plain;
};

const std::vector<Looked>& looked() {
    static const std::vector<Looked> all = [] {
        const auto writer = load_network<TextTransformer>(weights_file("characters"), character_kind());
        const LanguageModel model = language_model(writer.model);
        const GenerationOptions options{.new_tokens = lookup_tokens, .sampling = {.temperature = 0.0}};
        std::vector<Looked> made;
        for (const std::string& prompt : lookup_prompts()) {
            const Ids ids = writer.tokenizer.encode(prompt);
            const TokenIds text(ids.begin(), ids.end());
            Rng rng(1), same(1);
            const Draft draft = [&](std::span<const std::int64_t> so_far) {
                return lookup_draft(so_far, model.vocab_size);
            };
            made.push_back({prompt, generate_speculatively(model, draft, text, lookup_length, options, rng),
                            write_text(model, text, options, same).tokens});
        }
        return made;
    }();
    return all;
}

// Of all texts together.
double share(std::size_t (*part)(const Looked&), std::size_t (*whole)(const Looked&)) {
    std::size_t parts = 0, wholes = 0;
    for (const Looked& one : looked()) parts += part(one), wholes += whole(one);
    return static_cast<double>(parts) / static_cast<double>(std::max<std::size_t>(1, wholes));
}

TEST(lookup_draft, takes_at_least_18_tokens_in_10_passes) {
    EXPECT_GE(share([](const Looked& one) { return one.drafted.text.tokens.size(); },
                    [](const Looked& one) { return one.drafted.passes; }),
              1.8)
        << "tokens a pass";
}

TEST(lookup_draft, at_least_3_of_10_drafted_tokens_stay) {
    EXPECT_GE(share([](const Looked& one) { return one.drafted.kept; },
                    [](const Looked& one) { return one.drafted.drafted; }),
              0.3)
        << "the share of drafted tokens that stay; each wrong guess costs time";
}

TEST(lookup_draft, changes_no_text) {
    for (const Looked& one : looked())
        EXPECT_EQ(one.drafted.text.tokens, one.plain) << "after \"" << one.prompt << "\"";
}

TEST(lookup_draft, gives_probabilities_of_all_tokens_or_none) {
    for (const TokenIds& text : std::vector<TokenIds>{
             {0}, {2, 2}, {0, 1}, {0, 1, 0}, {0, 1, 2, 3, 4, 0, 1, 2}, {4, 4, 4, 4}, TokenIds(300, 3)}) {
        const std::vector<double> q = lookup_draft(text, 5);
        if (q.empty()) continue;
        ASSERT_EQ(q.size(), 5U) << "probabilities for 5 tokens";
        EXPECT_NEAR(std::accumulate(q.begin(), q.end(), 0.0), 1.0, 1e-9) << "their sum";
    }
}

TEST(lookup_draft, guesses_what_followed_before) {
    const TokenIds text{0, 1, 2, 3, 4, 2, 0, 3, 1, 0, 1, 2, 3, 4, 2, 0, 3};
    const std::vector<double> q = lookup_draft(text, 5);
    ASSERT_EQ(q.size(), 5U)
        << "the number of probabilities; the newest eight tokens stood in the text before";
    EXPECT_GT(q[1], 0.5) << "the probability of 1, which followed them";
}

}  // namespace
}  // namespace tfs::test
