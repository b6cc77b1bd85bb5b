// tests/12_many_texts/edges_test.cpp · what lies at the edge of a contract: refused by one of our errors in a sentence, or right
//
// One table for what chapters 11 and 12 offer, and some of the chapters before them. A new function gets its lines here: sizes 0, 1 and the
// largest; ids -1 and too large; NaN, infinities, -0, the smallest numbers; empty lists and functions; shapes that disagree in one
// axis; objects that were changed after they were made. CI runs it under the sanitizers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "chapters/10_training/models/corpus.hpp"
#include "chapters/12_many_texts/given/many_texts.hpp"
#include "chapters/12_many_texts/search.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
constexpr float nan = std::numeric_limits<float>::quiet_NaN(),
                tiny = std::numeric_limits<float>::denorm_min();

LanguageModel model_with(const std::vector<float>& logits) {
    return small_model(logits.size(), 8, [=](auto) { return logits; });
}
const LanguageModel three = model_with({1, 2, 3});

std::vector<Generated> written(const LanguageModel& model, const std::vector<TokenIds>& prompts,
                               const GenerationOptions& options = {.new_tokens = 2},
                               std::optional<std::size_t> window = std::nullopt) {
    std::vector<Rng> rngs(prompts.size(), Rng(1));
    return generate(model, prompts, options, rngs, window);
}
Generated written_alone(const LanguageModel& model, const TokenIds& prompt,
                        const GenerationOptions& options = {.new_tokens = 2}) {
    Rng rng(1);
    return write_text(model, prompt, options, rng);
}
Speculation speculated(const Draft& draft, std::size_t length,
                       const GenerationOptions& options = {.new_tokens = 2}, const TokenIds& prompt = {1}) {
    Rng rng(1);
    return generate_speculatively(three, draft, prompt, length, options, rng);
}
std::int64_t one_sample(const std::vector<double>& p) {
    Rng rng(1);
    return sample(p, rng);
}
std::vector<double> shares(const Sampling& sampling, const std::vector<float>& logits = {1, 2, 3}) {
    return token_probabilities(logits, sampling);
}
void applied(const LogitsRule& rule, const TokenIds& text) {
    std::vector<float> logits{1, 2};
    rule(text, logits);
}
TokenIds accepted_of(const TokenIds& drafted, const std::vector<std::vector<double>>& q,
                     const std::vector<std::vector<double>>& p) {
    Rng rng(1);
    return accepted(drafted, q, p, rng);
}
// A cache with room for 4 positions that keeps 2 of layer 0: 1 text, 2 heads, width 3.
KeyValueCache filled_cache(std::optional<std::size_t> window = std::nullopt) {
    KeyValueCache cache(4, window);
    (void)cache.append(0, {Tensor::ones({1, 2, 2, 3}), Tensor::ones({1, 2, 2, 3})});
    return cache;
}
void appended_to(KeyValueCache cache, const Shape& keys, const Shape& values, std::size_t layer = 0) {
    (void)cache.append(layer, {Tensor::ones(keys), Tensor::ones(values)});
}

TEST(edges, of_probabilities_and_draws) {
    const Tokenizer letters(Cut::characters, {"a", "b", "c"});
    const Draft none, fair = [](auto) { return std::vector<double>{0.5, 0.25, 0.25}; };
    const auto draft_of = [](double p) { return [p](auto) { return std::vector<double>{p, 0.5, 0.5}; }; };
    EXPECT_REFUSED(shares({}, {1, nan}), "token 1", "NaN");
    EXPECT_REFUSED(shares({}, {infinity, 1}), "token 0", "+inf");
    EXPECT_REFUSED(shares({}, {-infinity, -infinity}), "-inf");
    EXPECT_REFUSED(shares({}, {}), "no logits");
    EXPECT_REFUSED(shares({.temperature = -1e-9}), "temperature", "-1e-09");
    EXPECT_REFUSED(shares({.temperature = infinity}), "temperature", "inf");
    EXPECT_REFUSED(shares({.temperature = nan}), "temperature", "nan");
    EXPECT_REFUSED(shares({.top_k = 0}), "top_k", "0");
    EXPECT_REFUSED(shares({.temperature = 0, .top_k = 0}), "top_k", "0");
    EXPECT_REFUSED(shares({.top_p = 0}), "top_p", "0");
    EXPECT_REFUSED(shares({.top_p = 1.5}), "top_p", "1.5");
    EXPECT_REFUSED(shares({.top_p = nan}), "top_p", "nan");
    EXPECT_REFUSED(shares({.min_p = -0.5}), "min_p", "-0.5");
    EXPECT_REFUSED(shares({.min_p = 1.5}), "min_p", "1.5");
    EXPECT_REFUSED(shares({.min_p = nan}), "min_p", "nan");
    EXPECT_REFUSED(one_sample({}), "no probabilities");
    EXPECT_REFUSED(one_sample({0.0, -0.0}));
    EXPECT_REFUSED(one_sample({0.5, nan}), "1");
    EXPECT_REFUSED(one_sample({-0.25, 1.25}), "0", "-0.25");
    EXPECT_REFUSED(one_sample({infinity}));
    EXPECT_REFUSED(accepted_of({-1}, {{1, 0}}, {{1, 0}, {1, 0}}), "-1");
    EXPECT_REFUSED(accepted_of({2}, {{1, 0}}, {{1, 0}, {1, 0}}), "2");
    EXPECT_REFUSED(accepted_of({1}, {{1, 0}}, {{1, 0}, {1, 0}}), "token 0", "0");
    EXPECT_REFUSED(accepted_of({0}, {{1, 0}}, {{1, 0}}), "1 drafted");
    EXPECT_REFUSED(accepted_of({0, 0}, {{1, 0}}, {{1, 0}, {1, 0}, {1, 0}}), "2 drafted", "1");
    EXPECT_REFUSED(accepted_of({0}, {{1, 0}}, {{1, 0, 0}, {1, 0}}), "2", "3");
    EXPECT_REFUSED(accepted_of({0}, {{nan, 1}}, {{1, 0}, {1, 0}}));
    EXPECT_REFUSED(accepted_of({0}, {{1, 0}}, {{1, -1}, {1, 0}}), "-1");
    EXPECT_REFUSED(accepted_of({0}, {{1, 0}}, {{1, 0}, {nan, 0}}));
    EXPECT_REFUSED(speculated(none, 2));
    EXPECT_REFUSED(speculated(draft_of(nan), 2));
    EXPECT_REFUSED(speculated(draft_of(-1), 2), "-1");
    EXPECT_REFUSED(speculated([](auto) { return std::vector<double>{0.5, 0.5}; }, 2), "2", "3");
    EXPECT_REFUSED(speculated(fair, 0), "1");
    EXPECT_REFUSED(speculated(fair, 2, {.sampling = {.top_p = 0}}), "top_p");
    EXPECT_REFUSED(speculated(fair, 2, {}, {}), "empty");
    EXPECT_REFUSED(speculated(fair, 2, {}, TokenIds(9, 1)), "9", "8");
    EXPECT_REFUSED(only_where(letters, MayFollow(), std::nullopt, 0));
    EXPECT_REFUSED(applied(only_where(letters, line_may_go_on, std::nullopt, 2), {0}), "1", "2");
    EXPECT_REFUSED(applied(only_where(letters, line_may_go_on, std::nullopt, 0), {0}), "2", "3");
    for (const double factor : {0.5, 0.0, -1.0, static_cast<double>(nan), static_cast<double>(infinity)})
        EXPECT_REFUSED(repetition_penalty(factor), "factor");
    EXPECT_REFUSED(applied(repetition_penalty(2), {0, -1}), "-1", "2");
    EXPECT_REFUSED(applied(repetition_penalty(2), {500}), "500", "2");
    EXPECT_EQ(one_sample({0.0, tiny, 0.0}), 1);
    EXPECT_EQ(shares({.top_k = 1, .top_p = 1, .min_p = 1}), (std::vector<double>{0, 0, 1}));
    EXPECT_EQ(accepted_of({0}, {{1, 0}}, {{1, 0}, {0, 1}}), (TokenIds{0, 1}));
    EXPECT_EQ(token_probabilities(std::vector<float>{-0.0f, -infinity, tiny}),
              (std::vector<double>{0.5, 0.0, 0.5}));
    EXPECT_EQ(speculated(fair, huge).text.tokens.size(), 2U);
}

TEST(edges, of_texts) {
    const std::vector<TokenIds> one{{1}};
    std::vector<Rng> one_rng{Rng(1)};
    const LogitsRule nothing = [](auto, std::span<float> logits) {
        std::fill(logits.begin(), logits.end(), -infinity);
    };
    EXPECT_REFUSED(written(three, {}), "no prompt");
    EXPECT_REFUSED(written(three, {{1}, {}}), "empty");
    EXPECT_REFUSED(written(three, {{1}, TokenIds(9, 1)}), "9", "8");
    EXPECT_REFUSED(generate(three, {{1}, {2}}, {}, one_rng), "2", "1");
    EXPECT_REFUSED(written(three, {{1}, {2, 1}}, {}, 2), "1", "2");
    EXPECT_REFUSED(written(three, one, {.sampling = {.top_p = 0}}), "top_p");
    EXPECT_REFUSED(written({.vocab_size = 3, .max_len = 8, .logits = nullptr}, one));
    EXPECT_REFUSED(written(three, one, {.rules = {LogitsRule()}}));
    EXPECT_REFUSED(written(three, one, {.rules = {nothing}}));
    EXPECT_REFUSED(written(three, one, {}, 0));
    EXPECT_REFUSED(written(model_with({1, nan}), one), "NaN");
    EXPECT_REFUSED(written_alone(three, {}), "empty");
    EXPECT_REFUSED(written_alone(three, TokenIds(9, 1)), "9", "8");
    EXPECT_REFUSED(written_alone(three, {1}, {.sampling = {.top_p = 0}}), "top_p");
    EXPECT_REFUSED(written_alone({.vocab_size = 3, .max_len = 8, .logits = nullptr}, {1}));
    EXPECT_REFUSED(written_alone(three, {1}, {.rules = {LogitsRule()}}));
    EXPECT_REFUSED(written_alone(three, {1}, {.rules = {nothing}}));
    EXPECT_REFUSED(lookup_draft({}, 3), "empty");
    EXPECT_REFUSED(lookup_draft(TokenIds{1, 3}, 3), "3");
    EXPECT_REFUSED(lookup_draft(TokenIds{-1}, 3), "-1");
    KeyValueCache empty(4), full = filled_cache();
    EXPECT_REFUSED(prefill(three, {}, empty), "no prompt");
    EXPECT_REFUSED(prefill(three, {{1}, {}}, empty), "empty");
    EXPECT_REFUSED(prefill(three, {{1}}, full), "not empty");
    EXPECT_REFUSED(decode_step(three, {}, {}, full), "0 rows");
    EXPECT_REFUSED(decode_step(three, {0}, {1, 2}, full), "1 rows and 2");
    EXPECT_REFUSED(beam_search(model_with({1, nan}), {0}, {}), "NaN");
    EXPECT_REFUSED(beam_search(model_with({1, infinity}), {0}, {}));
    EXPECT_REFUSED(beam_search(model_with({-infinity, -infinity}), {0}, {}));
    EXPECT_REFUSED(beam_search(three, {0}, {.beams = 0}));
    EXPECT_REFUSED(beam_search(three, {}, {}), "empty");
    EXPECT_REFUSED(beam_search(three, TokenIds(9, 1), {}), "9", "8");
    EXPECT_REFUSED(beam_search(three, {0}, {.length_penalty = -0.5}), "-0.5");
    EXPECT_REFUSED(beam_search(three, {0}, {.length_penalty = nan}), "nan");
    EXPECT_REFUSED(beam_search(three, {0}, {.length_penalty = infinity}), "inf");
    const Transformer decoder = writers()[0], two = translator();
    EXPECT_REFUSED(language_model(two), "language_model");
    EXPECT_REFUSED(language_model(decoder, Ids{{4, 2, 9}}), "language_model");
    EXPECT_REFUSED(language_model(two, Ids{{1, 2}, {3, 4}}), "(2, 2)");
    TransformerConfig config = writer_config(Sinusoids{});
    config.architecture = Architecture::encoder_only;
    const Transformer encoder(config, one_rng[0]);
    EXPECT_REFUSED(language_model(encoder), "an encoder");
    EXPECT_REFUSED(language_model(encoder, Ids{{4, 2, 9}}), "language_model");
    EXPECT_EQ(written(three, one, {.new_tokens = 0})[0].tokens.size(), 0U);
    EXPECT_EQ(written(three, one, {.new_tokens = huge})[0].ended, Ended::full);
    EXPECT_EQ(written_alone(three, {1}, {.new_tokens = 0}).tokens.size(), 0U);
    EXPECT_EQ(written_alone(three, {1}, {.new_tokens = huge}).ended, Ended::full);
    const Draft third = [](auto) { return std::vector<double>{0, 0, 1}; };
    EXPECT_EQ(speculated(third, 3, {.new_tokens = huge}).text.ended, Ended::full);
    EXPECT_EQ(beam_search(three, {0}, {.beams = huge / 2, .new_tokens = 1}).size(), 3U);
    EXPECT_EQ(beam_search(three, {0}, {.new_tokens = huge}).at(0).tokens.size(), 7U);
}

TEST(edges, of_a_cache) {
    const auto changed = [](const std::function<void(KeyValueCache&)>& change) {
        KeyValueCache cache = filled_cache();
        change(cache);
        appended_to(cache, {1, 2, 1, 3}, {1, 2, 1, 3});
    };
    EXPECT_REFUSED(KeyValueCache(0));
    EXPECT_REFUSED(KeyValueCache(3, 0));
    EXPECT_REFUSED(appended_to(KeyValueCache(1ULL << 62), {1, 1, 1, 1}, {1, 1, 1, 1}));
    EXPECT_REFUSED(appended_to(KeyValueCache(4), {1, 1, 1, 1}, {1, 1, 1, 1}, huge));
    EXPECT_REFUSED(appended_to(KeyValueCache(4), {1, 2, 2, 3}, {1, 1, 2, 3}));
    EXPECT_REFUSED(appended_to(KeyValueCache(4), {1, 2, 2, 3}, {1, 2, 1, 3}));
    EXPECT_REFUSED(appended_to(KeyValueCache(4), {1, 2, 1, 3}, {2, 2, 1, 3}));
    EXPECT_REFUSED(appended_to(KeyValueCache(4), {1, 2, 1, 3}, {1, 2, 3}));
    EXPECT_REFUSED(appended_to(KeyValueCache(4), {1, 1, 2, 1, 3}, {1, 1, 2, 1, 3}));
    EXPECT_REFUSED(appended_to(KeyValueCache(4), {1, 2, 0, 3}, {1, 2, 0, 3}));
    EXPECT_REFUSED(appended_to(filled_cache(), {1, 2, 1, 3}, {1, 2, 1, 4}));
    EXPECT_REFUSED(appended_to(filled_cache(), {2, 2, 1, 3}, {2, 2, 1, 3}), "1", "2");
    EXPECT_REFUSED(appended_to(filled_cache(), {1, 3, 1, 3}, {1, 3, 1, 3}), "2", "3");
    EXPECT_REFUSED(appended_to(filled_cache(), {1, 2, 3, 3}, {1, 2, 3, 3}), "2", "3", "4");
    EXPECT_REFUSED(appended_to(KeyValueCache(6, 3), {1, 2, 4, 3}, {1, 2, 4, 3}), "4", "3");
    EXPECT_REFUSED(appended_to(filled_cache(3), {1, 2, 2, 3}, {1, 2, 2, 3}), "2", "3");
    EXPECT_REFUSED(changed([](auto& cache) { cache.capacity = 5; }));
    EXPECT_REFUSED(changed([](auto& cache) { cache.layers[0].values.clear(); }));
    EXPECT_REFUSED(changed([](auto& cache) { cache.layers[0].seen.clear(); }));
    EXPECT_REFUSED(filled_cache().drop({3}), "3", "2");
    EXPECT_REFUSED(filled_cache().drop({huge}));
    EXPECT_REFUSED(filled_cache().drop({}));
    EXPECT_REFUSED(filled_cache().drop({1, 1}), "1", "2");
    EXPECT_REFUSED(filled_cache().pick({}));
    EXPECT_REFUSED(filled_cache().pick({1}), "1");
    EXPECT_REFUSED(filled_cache().pick({huge}));
    EXPECT_REFUSED(picked(std::vector<int>{1, 2}, {huge}, 1));
    EXPECT_REFUSED(picked(std::vector<int>{1, 2}, {0}, 0));
    EXPECT_EQ(KeyValueCache(huge).next_position(), Offset(0));
    KeyValueCache values_are_wider(4);
    appended_to(values_are_wider, {2, 1, 4, 1}, {2, 1, 4, 3});
}

// A TextCache that keeps 2 tokens of layer 0: 2 heads, width 3.
TextCache filled_text_cache() {
    TextCache cache;
    (void)cache.append(0, {Tensor::ones({1, 2, 2, 3}), Tensor::ones({1, 2, 2, 3})});
    return cache;
}

TEST(edges, of_a_text_cache) {
    const auto appended = [](const Shape& keys, const Shape& values, std::size_t layer = 0) {
        (void)filled_text_cache().append(layer, {Tensor::ones(keys), Tensor::ones(values)});
    };
    EXPECT_REFUSED(appended({1, 2, 1, 4}, {1, 2, 1, 3}), "(1, 2, 1, 4)");
    EXPECT_REFUSED(appended({1, 3, 1, 3}, {1, 3, 1, 3}), "(1, 3, 1, 3)");
    EXPECT_REFUSED(appended({1, 2, 1, 3}, {1, 2, 2, 3}));
    EXPECT_REFUSED(appended({2, 1, 3}, {2, 1, 3}));
    EXPECT_REFUSED(appended({2, 2, 1, 3}, {2, 2, 1, 3}));
    EXPECT_REFUSED(filled_text_cache().drop(2), "2");
    EXPECT_REFUSED(filled_text_cache().drop(huge));
    const Tensor one = Tensor::ones({1, 2, 1, 4}), two = Tensor::ones({2, 2, 1, 4});
    TextCache empty;
    const RotaryEmbedding angles(4, 3);
    const RotaryLayout layout = RotaryLayout::half_split;
    EXPECT_REFUSED(cached_attention(empty, 0, one, one, two, angles, layout));
    EXPECT_REFUSED(cached_attention(empty, 0, two, two, two, angles, layout), "(2, 2, 1, 4)");
    EXPECT_EQ(empty.length(), 0U);
}

TEST(edges, of_configs) {
    TransformerConfig grouped = preset("tiny-llama");
    grouped.architecture = Architecture::encoder_decoder;
    grouped.block.num_kv_heads = 1;
    Rng rng(1);
    EXPECT_REFUSED(repeat_heads(Tensor::ones({1, 1, 1, 1}), 1ULL << 63));
    EXPECT_REFUSED(repeat_heads(Tensor::ones({1, 1, 1, 0}), 1ULL << 63));
    EXPECT_REFUSED(Transformer(grouped, rng), "num_kv_heads is 1");
    EXPECT_EQ(problems(grouped).size(), 1U);
}

TEST(edges, of_training) {
    Rng rng(1);
    const auto stepped = [](const std::function<void(AdamW&)>& change) {
        Tensor weight(Tensor::ones({2}).array(), true);
        AdamW optimizer({{"w", weight}});
        change(optimizer);
        sum(weight).backward();
        optimizer.step(0.1);
    };
    EXPECT_REFUSED(AdamW({}, {.epsilon = 1e-50}), "1e-50");
    EXPECT_REFUSED(AdamW({}, {.epsilon = nan}));
    EXPECT_REFUSED(AdamW(Parameters()).step(nan));
    EXPECT_REFUSED(stepped([](auto& o) { o.parameters.push_back({"b", Tensor::ones({9})}); }), "2", "1");
    EXPECT_REFUSED(stepped([](auto& o) { o.parameters.clear(); }), "0", "1");
    EXPECT_REFUSED(stepped([](auto& o) { o.parameters[0].tensor.mutable_array().resize({999}); }));
    EXPECT_REFUSED(stepped([](auto& o) { o.m[0].resize({1}); }), "w");
    EXPECT_REFUSED(shuffled_batches(1ULL << 62, 1, rng));
    EXPECT_REFUSED(corpus_of("\xEF\xBB\xBF", "x", 1));
    stepped([](AdamW& optimizer) { optimizer.options.epsilon = 1e-20; });
    std::string lines = "\xEF\xBB\xBF";
    for (int i = 0; i < 20; ++i) lines += "ab\r\n";
    EXPECT_EQ(corpus_of(lines, "x", 1).tokenizer.tokens(), (Tokens{"\n", "a", "b"}));
}

}  // namespace
}  // namespace tfs::test
