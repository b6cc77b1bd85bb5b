// tests/11_generation/edges_test.cpp · what lies at the edge of a contract: refused by one of our errors in a sentence, or right
//
// One table for what chapter 11, common/nn and common/io offer. A new function gets its lines here: sizes 0, 1 and the largest; ids
// -1 and too large; NaN, infinities, -0, the smallest numbers; empty lists and functions; shapes that disagree in one axis; objects
// that were changed after they were made. CI runs it under the sanitizers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "chapters/00_tensors/given/view_of.hpp"
#include "chapters/10_training/models/corpus.hpp"
#include "chapters/11_generation/given/cache_rows.hpp"
#include "chapters/11_generation/models/model_draft.hpp"
#include "chapters/11_generation/search.hpp"
#include "common/io/safetensors.hpp"
#include "common/io/trained_model.hpp"
#include "common/nn/gradient_length.hpp"
#include "common/nn/gradient_step.hpp"
#include "common/nn/layers.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
constexpr float nan = std::numeric_limits<float>::quiet_NaN(),
                tiny = std::numeric_limits<float>::denorm_min();

#define CALL(...) [&] { (void)(__VA_ARGS__); }  // a lambda of one call, which clang-format leaves in its line

struct Edge {
    const char* what;
    std::function<void()> call;
    std::vector<std::string> named = {};  // in the sentence
};

void expect_refused(const std::vector<Edge>& edges) {
    for (const Edge& edge : edges) EXPECT_TRUE(refuses<Error>(edge.call, edge.named, edge.what));
}

LanguageModel model_with(const std::vector<float>& logits) {
    return small_model(logits.size(), 8, [=](auto) { return logits; });
}
const LanguageModel three = model_with({1, 2, 3});

std::vector<Generated> written(const LanguageModel& model, const std::vector<TokenIds>& prompts,
                               const GenerationOptions& options = {.new_tokens = 2}) {
    std::vector<Rng> rngs(prompts.size(), Rng(1));
    return generate(model, prompts, options, rngs);
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
    const Draft none, fair = [](auto) { return std::vector<double>{0.5, 0.25, 0.25}; };
    const auto draft_of = [](double p) { return [p](auto) { return std::vector<double>{p, 0.5, 0.5}; }; };
    expect_refused(
        {{"logits with NaN", CALL(shares({}, {1, nan})), {"token 1", "NaN"}},
         {"logits with +inf", CALL(shares({}, {infinity, 1})), {"token 0", "+inf"}},
         {"only logits of -inf", CALL(shares({}, {-infinity, -infinity})), {"-inf"}},
         {"no logits", CALL(shares({}, {})), {"no logits"}},
         {"a temperature below 0", CALL(shares({.temperature = -1e-9})), {"temperature", "-1e-09"}},
         {"an infinite temperature", CALL(shares({.temperature = infinity})), {"temperature", "inf"}},
         {"a temperature of NaN", CALL(shares({.temperature = nan})), {"temperature", "nan"}},
         {"top_k 0", CALL(shares({.top_k = 0})), {"top_k", "0"}},
         {"top_k 0 at temperature 0", CALL(shares({.temperature = 0, .top_k = 0})), {"top_k", "0"}},
         {"top_p 0", CALL(shares({.top_p = 0})), {"top_p", "0"}},
         {"top_p above 1", CALL(shares({.top_p = 1.5})), {"top_p", "1.5"}},
         {"top_p of NaN", CALL(shares({.top_p = nan})), {"top_p", "nan"}},
         {"min_p below 0", CALL(shares({.min_p = -0.5})), {"min_p", "-0.5"}},
         {"min_p above 1", CALL(shares({.min_p = 1.5})), {"min_p", "1.5"}},
         {"min_p of NaN", CALL(shares({.min_p = nan})), {"min_p", "nan"}},
         {"no probabilities", CALL(one_sample({})), {"no probabilities"}},
         {"only zeros, one of them -0", CALL(one_sample({0.0, -0.0}))},
         {"a probability of NaN", CALL(one_sample({0.5, nan})), {"1"}},
         {"a negative probability", CALL(one_sample({-0.25, 1.25})), {"0", "-0.25"}},
         {"an infinite probability", CALL(one_sample({infinity}))},
         {"a draft of -1", CALL(accepted_of({-1}, {{1, 0}}, {{1, 0}, {1, 0}})), {"-1"}},
         {"a draft that is no token", CALL(accepted_of({2}, {{1, 0}}, {{1, 0}, {1, 0}})), {"2"}},
         {"a draft with q = 0", CALL(accepted_of({1}, {{1, 0}}, {{1, 0}, {1, 0}})), {"token 0", "0"}},
         {"fewer rows of p", CALL(accepted_of({0}, {{1, 0}}, {{1, 0}})), {"1 drafted"}},
         {"fewer rows of q",
          CALL(accepted_of({0, 0}, {{1, 0}}, {{1, 0}, {1, 0}, {1, 0}})),
          {"2 drafted", "1"}},
         {"rows of another length", CALL(accepted_of({0}, {{1, 0}}, {{1, 0, 0}, {1, 0}})), {"2", "3"}},
         {"q of NaN", CALL(accepted_of({0}, {{nan, 1}}, {{1, 0}, {1, 0}}))},
         {"p below 0", CALL(accepted_of({0}, {{1, 0}}, {{1, -1}, {1, 0}})), {"-1"}},
         {"NaN in the last p", CALL(accepted_of({0}, {{1, 0}}, {{1, 0}, {nan, 0}}))},
         {"an empty draft", CALL(speculated(none, 2))},
         {"a draft of NaN", CALL(speculated(draft_of(nan), 2))},
         {"a draft below 0", CALL(speculated(draft_of(-1), 2)), {"-1"}},
         {"a draft of another vocabulary",
          CALL(speculated(
              [](auto) {
                  return std::vector<double>{0.5, 0.5};
              },
              2)),
          {"2", "3"}},
         {"no length", CALL(speculated(fair, 0)), {"1"}},
         {"a draft with a window", CALL(speculated(fair, 2, {.window = 4})), {"window"}},
         {"a draft with top_p 0", CALL(speculated(fair, 2, {.sampling = {.top_p = 0}})), {"top_p"}},
         {"a draft behind an empty prompt", CALL(speculated(fair, 2, {}, {})), {"empty"}},
         {"a draft behind a prompt that is too long",
          CALL(speculated(fair, 2, {}, TokenIds(9, 1))),
          {"9", "8"}},
         {"an empty function that says what may follow",
          CALL(only_where(Tokenizer(Cut::characters, {"a"}), MayFollow(), std::nullopt, 0))},
         {"a penalty for the id -1", CALL(applied(repetition_penalty(2), {0, -1})), {"-1", "2"}},
         {"a penalty for the id 500", CALL(applied(repetition_penalty(2), {500})), {"500", "2"}},
         {"sequences with the id -1", CALL(applied(no_repeated_ngrams(1), {-1})), {"-1", "2"}},
         {"sequences with the id 500", CALL(applied(no_repeated_ngrams(1), {0, 500})), {"500", "2"}}});
    EXPECT_EQ(one_sample({0.0, tiny, 0.0}), 1);
    EXPECT_EQ(shares({.top_k = 1, .top_p = 1, .min_p = 1}), (std::vector<double>{0, 0, 1}));
    EXPECT_EQ(accepted_of({0}, {{1, 0}}, {{1, 0}, {0, 1}}), (TokenIds{0, 1}));
    EXPECT_EQ(token_probabilities(std::vector<float>{-0.0f, -infinity, tiny}),
              (std::vector<double>{0.5, 0.0, 0.5}));
    EXPECT_EQ(speculated(fair, huge).text.tokens.size(), 2U);
    applied(no_repeated_ngrams(huge), {0, 1});
}

TEST(edges, of_texts) {
    const std::vector<TokenIds> one{{1}};
    std::vector<Rng> one_rng{Rng(1)};
    const LogitsRule nothing = [](auto, std::span<float> logits) {
        std::fill(logits.begin(), logits.end(), -infinity);
    };
    expect_refused(
        {{"no prompt", CALL(written(three, {})), {"no prompt"}},
         {"an empty prompt", CALL(written(three, {{1}, {}})), {"empty"}},
         {"a prompt that is too long", CALL(written(three, {{1}, TokenIds(9, 1)})), {"9", "8"}},
         {"one Rng for two prompts", CALL(generate(three, {{1}, {2}}, {}, one_rng)), {"2", "1"}},
         {"a window where prompts differ in length",
          CALL(written(three, {{1}, {2, 1}}, {.window = 2})),
          {"1", "2"}},
         {"top_p 0 for a text", CALL(written(three, one, {.sampling = {.top_p = 0}})), {"top_p"}},
         {"a model without a function",
          CALL(written({.vocab_size = 3, .max_len = 8, .logits = nullptr}, one))},
         {"an empty rule", CALL(written(three, one, {.rules = {LogitsRule()}}))},
         {"a rule that allows nothing", CALL(written(three, one, {.rules = {nothing}}))},
         {"a window of 0", CALL(written(three, one, {.window = 0}))},
         {"logits of NaN", CALL(written(model_with({1, nan}), one)), {"NaN"}},
         {"a beam with logits of NaN", CALL(beam_search(model_with({1, nan}), {0}, {})), {"NaN"}},
         {"a beam with +inf", CALL(beam_search(model_with({1, infinity}), {0}, {}))},
         {"a beam without a token", CALL(beam_search(model_with({-infinity, -infinity}), {0}, {}))},
         {"no beams", CALL(beam_search(three, {0}, {.beams = 0}))},
         {"a draft by a model of an empty text", CALL(ModelDraft(three)(TokenIds())), {"0"}}});
    EXPECT_EQ(written(three, one, {.new_tokens = 0})[0].tokens.size(), 0U);
    EXPECT_EQ(written(three, one, {.new_tokens = huge})[0].ended, Ended::full);
    EXPECT_EQ(speculated(
                  [](auto) {
                      return std::vector<double>{0, 0, 1};
                  },
                  3, {.new_tokens = huge})
                  .text.ended,
              Ended::full);
    EXPECT_EQ(beam_search(three, {0}, {.beams = huge / 2, .new_tokens = 1}).size(), 3U);
    EXPECT_EQ(beam_search(three, {0}, {.new_tokens = huge}).at(0).tokens.size(), 7U);
}

TEST(edges, of_a_cache) {
    const auto changed = [](const std::function<void(KeyValueCache&)>& change) {
        KeyValueCache cache = filled_cache();
        change(cache);
        appended_to(cache, {1, 2, 1, 3}, {1, 2, 1, 3});
    };
    expect_refused(
        {{"no room", CALL(KeyValueCache(0))},
         {"a window of 0", CALL(KeyValueCache(3, 0))},
         {"room for more than memory has",
          CALL(appended_to(KeyValueCache(1ULL << 62), {1, 1, 1, 1}, {1, 1, 1, 1}))},
         {"the largest layer", CALL(appended_to(KeyValueCache(4), {1, 1, 1, 1}, {1, 1, 1, 1}, huge))},
         {"values of fewer heads", CALL(appended_to(KeyValueCache(4), {1, 2, 2, 3}, {1, 1, 2, 3}))},
         {"values of more heads", CALL(appended_to(KeyValueCache(4), {1, 1, 2, 3}, {1, 2, 2, 3}))},
         {"fewer values than keys", CALL(appended_to(KeyValueCache(4), {1, 2, 2, 3}, {1, 2, 1, 3}))},
         {"more values than keys", CALL(appended_to(KeyValueCache(4), {1, 2, 1, 3}, {1, 2, 2, 3}))},
         {"values of another batch", CALL(appended_to(KeyValueCache(4), {1, 2, 1, 3}, {2, 2, 1, 3}))},
         {"values of another rank", CALL(appended_to(KeyValueCache(4), {1, 2, 1, 3}, {1, 2, 3}))},
         {"keys of rank 5", CALL(appended_to(KeyValueCache(4), {1, 1, 2, 1, 3}, {1, 1, 2, 1, 3}))},
         {"keys without a position", CALL(appended_to(KeyValueCache(4), {1, 2, 0, 3}, {1, 2, 0, 3}))},
         {"another width than before", CALL(appended_to(filled_cache(), {1, 2, 1, 3}, {1, 2, 1, 4}))},
         {"another batch than before",
          CALL(appended_to(filled_cache(), {2, 2, 1, 3}, {2, 2, 1, 3})),
          {"1", "2"}},
         {"other heads than before",
          CALL(appended_to(filled_cache(), {1, 3, 1, 3}, {1, 3, 1, 3})),
          {"2", "3"}},
         {"more than there is room for",
          CALL(appended_to(filled_cache(), {1, 2, 3, 3}, {1, 2, 3, 3})),
          {"2", "3", "4"}},
         {"more than a window at once",
          CALL(appended_to(KeyValueCache(6, 3), {1, 2, 4, 3}, {1, 2, 4, 3})),
          {"4", "3"}},
         {"two where a window has room for one",
          CALL(appended_to(filled_cache(3), {1, 2, 2, 3}, {1, 2, 2, 3})),
          {"2", "3"}},
         {"a capacity that grew", [=] { changed([](auto& cache) { cache.capacity = 5; }); }},
         {"memory that was cleared", [=] { changed([](auto& cache) { cache.layers[0].values.clear(); }); }},
         {"a count that is gone", [=] { changed([](auto& cache) { cache.layers[0].seen.clear(); }); }},
         {"a drop of too much", CALL(filled_cache().drop({3})), {"3", "2"}},
         {"a drop of the most", CALL(filled_cache().drop({huge}))},
         {"a drop for no row", CALL(filled_cache().drop({}))},
         {"a drop for two rows", CALL(filled_cache().drop({1, 1})), {"1", "2"}},
         {"a pick of no row", CALL(filled_cache().pick({}))},
         {"a pick of a row too many", CALL(filled_cache().pick({1})), {"1"}},
         {"a pick of the largest row", CALL(filled_cache().pick({huge}))},
         {"a block that is none", CALL(picked(std::vector<int>{1, 2}, {huge}, 1))},
         {"blocks without a size", CALL(picked(std::vector<int>{1, 2}, {0}, 0))}});
    EXPECT_EQ(KeyValueCache(huge).next_position(), Offset(0));
    KeyValueCache values_are_wider(4);
    appended_to(values_are_wider, {2, 1, 4, 1}, {2, 1, 4, 3});
}

TEST(edges, of_layers_parameters_and_offsets) {
    Rng rng(1);
    const Linear linear_layer(3, 2, rng);
    const Embedding embedding(4, 2, rng);
    const std::vector<float> floats(8, 1.0f);
    const auto rows = [&](const float* first, std::size_t batch, std::size_t heads, std::size_t width,
                          std::size_t stride, const Offset& lengths) {
        (void)HeadRows(first, batch, heads, width, stride, lengths);
    };
    Tensor weight(Tensor::ones({2}).array(), true);
    expect_refused(
        {{"a layer of 0", CALL(Linear(0, 2, rng)), {"0"}},
         {"a layer of the largest size", CALL(Linear(huge, 2, rng))},
         {"a table of 0", CALL(Embedding(0, 2, rng))},
         {"a table of the largest size", CALL(Embedding(huge, huge, rng))},
         {"x of another width", CALL(linear_layer(Tensor::ones({2, 4}))), {"(2, 4)"}},
         {"x without an axis", CALL(linear_layer(Tensor::ones({})))},
         {"the id -1", CALL(embedding(Ids{-1})), {"-1"}},
         {"an id too large", CALL(embedding(Ids{4})), {"4"}},
         {"an offset of no rows", CALL(Offset(std::vector<std::size_t>()))},
         {"an offset of fewer rows", CALL(Offset({1, 2})[2])},
         {"rows of null", CALL(rows(nullptr, 1, 1, 2, 4, 2))},
         {"rows without a width", CALL(rows(floats.data(), 1, 1, 0, 4, 2))},
         {"a stride that is too short", CALL(rows(floats.data(), 1, 1, 2, 3, 2)), {"3"}},
         {"a length whose floats can't be counted", CALL(rows(floats.data(), 1, 1, 2, 4, huge / 2 + 2))},
         {"lengths of another batch", CALL(rows(floats.data(), 1, 1, 2, 4, Offset({1, 2})))},
         {"a step of NaN", CALL(gradient_step(sum(weight), {{"w", weight}}, nan))}});
    EXPECT_EQ(embedding(Ids::from_shape({0, 3})).shape(), (Shape{0, 3, 2}));
    EXPECT_EQ(linear_layer(Tensor::ones({0, 3})).shape(), (Shape{0, 2}));
    EXPECT_EQ(sum_of_squares(Array::from_shape({0})), 0.0);
    EXPECT_EQ(count_parameters({}), 0U);
}

TEST(edges, of_views_and_configs) {
    Array base = Array::from_shape({8});
    const auto seen = [&](const Shape& shape, const std::vector<std::ptrdiff_t>& strides,
                          std::ptrdiff_t offset = 0) {
        (void)view_of(base, {shape, strides, offset});
    };
    constexpr std::ptrdiff_t far = std::numeric_limits<std::ptrdiff_t>::max();
    TransformerConfig grouped = preset("tiny-llama");
    grouped.architecture = Architecture::encoder_decoder;
    grouped.block.num_kv_heads = 1;
    Rng rng(1);
    expect_refused(
        {{"a length below 0", CALL(seen({huge}, {1}))},
         {"a length below 0 that goes nowhere", CALL(seen({huge}, {0}))},
         {"a stride whose product overflows", CALL(seen({5}, {far / 2}))},
         {"a sum of ways that overflows", CALL(seen({2, 2, 2}, {far / 2, far / 2, far / 2}))},
         {"a way back that overflows", CALL(seen({3}, {-far}))},
         {"a stride that overflows, though there are no entries", CALL(seen({0, 1ULL << 20}, {1, far}))},
         {"a size that can't be counted", CALL(seen({1ULL << 33, 1ULL << 33}, {0, 0}))},
         {"rows of such a shape", CALL(row_major({1ULL << 33, 1ULL << 33}))},
         {"a view before the buffer", CALL(seen({2}, {-1})), {"-1"}},
         {"heads repeated without end", CALL(repeat_heads(Tensor::ones({1, 1, 1, 1}), 1ULL << 63))},
         {"heads of width 0 repeated so", CALL(repeat_heads(Tensor::ones({1, 1, 1, 0}), 1ULL << 63))},
         {"grouped queries in an encoder-decoder", CALL(Transformer(grouped, rng)), {"num_kv_heads is 1"}}});
    EXPECT_EQ(problems(grouped).size(), 1U);
    seen({3}, {-2}, 7);
    seen({0, 1ULL << 20}, {1, 1}, 100);
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
    expect_refused({{"an epsilon that no float has", CALL(AdamW({}, {.epsilon = 1e-50})), {"1e-50"}},
                    {"an epsilon of NaN", CALL(AdamW({}, {.epsilon = nan}))},
                    {"a rate of NaN", CALL(AdamW(Parameters()).step(nan))},
                    {"a parameter more",
                     [=] { stepped([](auto& o) {
                               o.parameters.push_back({"b", Tensor::ones({9})});
                           }); },
                     {"2", "1"}},
                    {"a parameter less", [=] { stepped([](auto& o) { o.parameters.clear(); }); }, {"0", "1"}},
                    {"another shape",
                     [=] { stepped([](auto& o) { o.parameters[0].tensor.mutable_array().resize({999}); }); }},
                    {"means of another shape", [=] { stepped([](auto& o) { o.m[0].resize({1}); }); }, {"w"}},
                    {"more examples than can be counted", CALL(shuffled_batches(1ULL << 62, 1, rng))},
                    {"a corpus of a mark alone", CALL(corpus_of("\xEF\xBB\xBF", "x", 1))}});
    stepped([](AdamW& optimizer) { optimizer.options.epsilon = 1e-20; });
    std::string lines = "\xEF\xBB\xBF";
    for (int i = 0; i < 20; ++i) lines += "ab\r\n";
    EXPECT_EQ(corpus_of(lines, "x", 1).tokenizer.tokens(), (Tokens{"\n", "a", "b"}));
}

TEST(edges, of_trained_models) {
    const ModelKind kind{.name = "a model", .entries = {"layers", "d_model", "heads", "words"}};
    const ScratchFolder folder;
    const auto saved = [&](const Tokens& words, std::size_t layers, std::size_t d_model) {
        save_trained_model({.config = {.layers = layers, .d_model = d_model},
                            .tokenizer = Tokenizer(Cut::words, words),
                            .weights = {}},
                           kind, folder / "model");
    };
    expect_refused({{"a word with a space", CALL(saved({"a", "b c"}, 1, 2)), {"\"b c\""}},
                    {"an empty word", CALL(saved({"a", ""}, 1, 2))},
                    {"a network of 99 layers, and no weights",
                     [&] {
                         saved({"a"}, 99, 9998);
                         (void)load_trained_model(folder / "model", kind);
                     },
                     {"99", "9998"}}});
    saved({"a", "b"}, 1, 2);
    EXPECT_EQ(load_trained_model(folder / "model", kind).tokenizer.tokens(), (Tokens{"a", "b"}));
}

TEST(edges, of_weight_files) {
    const auto file_of = [](const std::string& header, std::size_t size) {
        std::string bytes(8, '\0');
        for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(size >> (8 * i));
        return bytes + header;
    };
    const auto read = [](const std::string& bytes) { (void)parse_safetensors("x", bytes); };
    const auto tensor = [&](const std::string& shape, const std::string& offsets) {
        const std::string header =
            R"({"w":{"dtype":"F32","shape":[)" + shape + R"(],"data_offsets":[)" + offsets + "]}}";
        return file_of(header, header.size()) + std::string(8, '\0');
    };
    Tensor w = Tensor::ones({2});
    expect_refused(
        {{"no bytes", CALL(read(""))},
         {"a header of the largest size", CALL(read(file_of("{}", huge)))},
         {"a shape that overflows", CALL(read(tensor("4294967296,4294967296,4", "0,8")))},
         {"a negative size", CALL(read(tensor("-1", "0,8")))},
         {"offsets that run backwards", CALL(read(tensor("2", "8,0")))},
         {"offsets behind the end", CALL(read(tensor("4", "0,16")))},
         {"a name twice", CALL(format_safetensors({{"w", w}, {"w", w}})), {"w"}},
         {"a number too large for 16 bits",
          CALL(format_safetensors({{"w", Tensor::from({1}, {1e6f})}}, {}, Precision::f16))},
         {"another shape", CALL(copy_tensors_into({{"w", w}}, {{"w", Tensor::ones({3})}}, "x")), {"w"}}});
    EXPECT_EQ(parse_safetensors("x", format_safetensors({})).tensors.size(), 0U);
    const Parameters read_again =
        parse_safetensors("x", format_safetensors({{"w", Tensor::from({3}, {nan, -infinity, -0.0f})}}))
            .tensors;
    EXPECT_TRUE(std::isnan(read_again[0].tensor.values()[0]) &&
                std::signbit(read_again[0].tensor.values()[2]));
}

}  // namespace
}  // namespace tfs::test
