// tests/11_generation/model_draft_test.cpp · a model as a draft: the same as without a cache, and no token read twice
#include "chapters/11_generation/models/model_draft.hpp"

#include "tests/11_generation/checklist.hpp"

namespace tfs::test {
namespace {

// The probabilities after a text, from one pass over all of it.
std::vector<double> uncached_probabilities(const LanguageModel& model, const TokenIds& text,
                                           const Sampling& sampling) {
    const Tensor logits = logits_of(model, text);
    return token_probabilities(logits.values().last(model.vocab_size), sampling);
}

// As speculative decoding asks: longer by one, back to where a token went, the same once more, another text.
const std::vector<TokenIds> asked_texts{{3, 1, 4},    {3, 1, 4, 1}, {3, 1, 4, 1, 5}, {3, 1, 4, 2},
                                        {3, 1, 4, 2}, {3, 1},       {9, 1, 4},       {9, 1, 4, 2, 6, 5, 3}};
// The tokens that are new in each of them, at least the last one.
const std::vector<std::size_t> new_tokens_of_asked_texts{3, 1, 1, 1, 1, 1, 3, 4};

TEST(model_draft, gives_the_probabilities_of_the_model_without_a_cache) {
    for (const LanguageModel& model : language_models())
        for (const Sampling& sampling : {Sampling(), Sampling{.temperature = 0.7, .top_k = 4}}) {
            ModelDraft draft(model, sampling);
            for (const TokenIds& text : asked_texts) {
                const auto found = draft(text), right = uncached_probabilities(model, text, sampling);
                ASSERT_EQ(found.size(), right.size());
                for (std::size_t i = 0; i < found.size(); ++i)
                    EXPECT_NEAR(found[i], right[i], 1e-5) << testing::PrintToString(text);
            }
        }
}

TEST(model_draft, reads_only_what_is_new) {
    Story story, right;
    ModelDraft draft(small_model(11, 20, scattered_logits(11), &story));
    for (std::size_t i = 0; i < asked_texts.size(); ++i) {
        const std::size_t seq = new_tokens_of_asked_texts[i];
        (void)draft(asked_texts[i]);
        right.push_back(pass_line({asked_texts[i]}, asked_texts[i].size() - seq, seq));
    }
    EXPECT_TRUE(is_told(story, right));
}

TEST(model_draft, a_copy_reads_by_itself) {
    const LanguageModel model = small_model(11, 20, scattered_logits(11));
    ModelDraft one(model);
    (void)one(TokenIds{1, 2, 3});
    ModelDraft other = one;
    (void)one(TokenIds{1, 2, 3, 4, 5});
    EXPECT_EQ(other(TokenIds{1, 2, 7, 8}), uncached_probabilities(model, {1, 2, 7, 8}, {}));
    EXPECT_EQ(one(TokenIds{1, 2, 3, 4, 5, 6}), uncached_probabilities(model, {1, 2, 3, 4, 5, 6}, {}));
}

TEST(model_draft, drafts_for_another_model) {
    const std::vector<Transformer> all = writers();
    const LanguageModel large = language_model(all[3]), small = language_model(all[1]);
    const GenerationOptions options{.new_tokens = 15, .sampling = {.temperature = 0.0}};
    Rng rng(1);
    const auto right = written_without_cache(large, {3, 1, 4}, options, rng);
    EXPECT_EQ(generate_speculatively(large, ModelDraft(small), {3, 1, 4}, 4, options, rng).text.tokens,
              right);
    const auto own =
        generate_speculatively(large, ModelDraft(large, {.temperature = 0.0}), {3, 1, 4}, 4, options, rng);
    EXPECT_EQ(own.text.tokens, right);
    EXPECT_EQ(own.passes, 3u) << "a model that drafts for itself is right: 5 tokens in each pass";
}

TEST(model_draft, counted_characters_draft_too) {
    TokenIds text;
    for (std::int64_t i = 0; i < 60; ++i) text.push_back(i * i % 5);
    const CharacterNgrams counts(text, 5, 3);
    const Draft draft = ngram_draft(counts);
    for (const TokenIds& before : {TokenIds{1}, {1, 4}, {0, 1, 4, 4, 1}})
        EXPECT_EQ(draft(before), counts.probabilities(before));
    const LanguageModel model = small_model(5, 30, scattered_logits(5));
    const GenerationOptions options{.new_tokens = 20, .sampling = {.temperature = 0.0}};
    Rng rng(1);
    EXPECT_EQ(generate_speculatively(model, draft, {1, 4}, 3, options, rng).text.tokens,
              written_without_cache(model, {1, 4}, options, rng));
}

}  // namespace
}  // namespace tfs::test
