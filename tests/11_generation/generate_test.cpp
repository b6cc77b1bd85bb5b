// tests/11_generation/generate_test.cpp · step generate
#include "tests/11_generation/checklist.hpp"

namespace tfs::test {
namespace {

TEST(generate, writes_what_a_model_without_a_cache_writes) {
    for (const Transformer& m : writers()) {
        const LanguageModel model = language_model(m);
        const std::vector<TokenIds> prompts{{3, 1, 4, 1, 5}, {9, 2}, {6, 5, 3, 5}};
        GenerationOptions options{.new_tokens = 12, .end_id = 7};
        std::vector<Rng> rngs{Rng(1), Rng(2), Rng(3)};
        const auto before = rngs;
        const auto texts = generate(model, prompts, options, rngs);
        for (std::size_t i = 0; i < prompts.size(); ++i)
            EXPECT_EQ(texts[i].tokens, written_without_cache(model, prompts[i], options, before[i])) << i;
    }
}

TEST(generate, speculates) {
    for (const Transformer& m : writers()) {
        const LanguageModel model = language_model(m);
        Rng rng(1);
        GenerationOptions options{.new_tokens = 12, .sampling = {.temperature = 0.0}};
        const Draft uniform = [](std::span<const std::int64_t>) { return std::vector<double>(11, 1.0 / 11); };
        const auto s = generate_speculatively(model, uniform, {3, 1, 4}, 3, options, rng);
        EXPECT_EQ(s.text.tokens, written_without_cache(model, {3, 1, 4}, options, Rng(1)));
        EXPECT_LE(s.passes, 12u);
    }
}

}  // namespace
}  // namespace tfs::test
