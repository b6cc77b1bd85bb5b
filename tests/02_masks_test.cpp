// tests/02_masks_test.cpp · the checklist of chapter 02: each mask by PyTorch's values, by properties, by diagnosis
//
// Run it on your steps with ./tutorial check 2. The golden values are made by tests/golden/area_masks.py.
#include "chapters/02_masks/masks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// An additive mask can't be passed where a boolean one is meant.
static_assert(!std::is_constructible_v<Mask, Tensor> && !std::is_convertible_v<Tensor, std::optional<Mask>>);

constexpr float infinity = std::numeric_limits<float>::infinity();

const std::string not_from_shape =
    "the array was not made by `xt::xarray<bool>::from_shape({…})`: `xt::xarray<bool> a;` has no axes, and "
    "`a({2, 3})` is one axis that holds those numbers";
const std::string never_written = ", or an entry was never written: from_shape leaves them uninitialised";

const Golden& golden() {
    static const Golden file("02_masks.safetensors");
    return file;
}

Tensor leaf(const std::string& name) { return Tensor(golden()[name].array(), true); }

// Masks and ids are stored as floats.
Mask golden_mask(const std::string& name) {
    const Tensor stored = golden()["mask." + name];
    return Mask::from(stored.shape(), std::vector<int>(stored.values().begin(), stored.values().end()));
}

Ids ids(const Shape& shape, const std::vector<std::int64_t>& values) {
    Ids result = Ids::from_shape(shape);
    std::copy(values.begin(), values.end(), result.begin());
    return result;
}

Ids golden_ids(const std::string& name) {
    const Tensor stored = golden()[name];
    return ids(stored.shape(), std::vector<std::int64_t>(stored.values().begin(), stored.values().end()));
}

Tensor normal(const Shape& shape, std::uint64_t seed) {
    Rng rng(seed);
    return Tensor(rng.normal_array(shape));
}

// 1 where the mask allows, 0 where it forbids.
Tensor numbers(const Mask& mask) {
    Array result = Array::from_shape(mask.shape());
    for (std::size_t i = 0; i < result.size(); ++i) result.data()[i] = mask.array().data()[i] ? 1.0f : 0.0f;
    return Tensor(std::move(result));
}

// A mask (batch, 1, query, key) by a rule on sequence b, query i and key j, as ones and zeros. The numbers are signed, so
// that i - j is what it looks like.
using Rule = std::function<bool(std::int64_t b, std::int64_t i, std::int64_t j)>;
Tensor by_rule(const Shape& shape, const Rule& rule) {
    std::vector<float> values;
    for (std::size_t b = 0; b < shape[0]; ++b) {
        for (std::size_t i = 0; i < shape[2]; ++i) {
            for (std::size_t j = 0; j < shape[3]; ++j) {
                values.push_back(rule(static_cast<std::int64_t>(b), static_cast<std::int64_t>(i),
                                      static_cast<std::int64_t>(j))
                                     ? 1.0f
                                     : 0.0f);
            }
        }
    }
    return Tensor::from(shape, std::move(values));
}

Suspect suspect(const std::string& message, const Shape& shape, const Rule& rule) {
    return {message, [=] { return by_rule(shape, rule); }};
}

// The mask equals the expected ones and zeros, of four axes. (query, key) alone is a suspect of every mask that has no
// batch; a mask of one axis or none was never given its four.
testing::AssertionResult mask_close(const Mask& actual, const Tensor& expected,
                                    std::vector<Suspect> suspects) {
    if (expected.size(0) == 1) {
        suspects.push_back(
            {"the axes of batch and heads are missing: the contract says (1, 1, query, key)", [=] {
                 return reshape(expected, {expected.size(-2), expected.size(-1)});
             }});
    }
    testing::AssertionResult result = close(numbers(actual), expected, {0, 0}, suspects);
    if (!result) result << likely_if(actual.shape().size() < 2, not_from_shape);
    return result;
}

// As many cells are allowed as expected; `what` names the mask, `why` the number.
testing::AssertionResult allows(const std::string& what, const std::function<Mask()>& make,
                                std::size_t expected, const std::string& why) {
    std::size_t count = 0;
    try {
        const Tensor cells = numbers(make());
        count = static_cast<std::size_t>(std::count(cells.values().begin(), cells.values().end(), 1.0f));
    } catch (const ValueError& error) {
        return testing::AssertionFailure()
               << what << ": \"" << error.what() << "\""
               << likely_if(true,
                            "a window longer than the sequence is refused; it shows what there is, and only "
                            "window 0 is an error");
    }
    if (count == expected) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << fmt::format("{}: {} cells allowed, expected {} ({})", what, count, expected, why);
}

// Attention by the layer's operations alone; a query that may attend to nothing gets zeros.
AttentionOutput readable_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask) {
    const Tensor scores = matmul(q, k, Transpose::b) / std::sqrt(static_cast<float>(q.size(-1)));
    const Tensor masked = masked_fill(scores, mask, -infinity);
    const Tensor largest = maximum(max(masked, -1, KeepDims::yes), std::numeric_limits<float>::lowest());
    const Tensor e = exp(masked - largest.detach());
    const Tensor weights = e / maximum(sum(e, -1, KeepDims::yes), 1.0f);
    return {matmul(weights, v), weights};
}

// Output, weights and gradients under a mask equal PyTorch's: those of chapter 01, and the readable form.
testing::AssertionResult attention_equals_pytorch(const std::string& name, const Mask& mask,
                                                  const std::string& queries = "q") {
    const std::string prefix = "attention." + name + ".";
    for (const bool readable : {false, true}) {
        const Tensor q = leaf(queries), k = leaf("k"), v = leaf("v");
        const auto [output, weights] =
            readable ? readable_attention(q, k, v, mask) : scaled_dot_product_attention(q, k, v, mask);
        testing::AssertionResult result =
            close_named("weights", weights, golden()[prefix + "weights"], {1e-5, 1e-6});
        if (result) result = close_named("output", output, golden()[prefix + "output"], {1e-5, 1e-6});
        if (result) result = send_back(output, golden()[prefix + "grad_weights"]);
        if (result) result = gradient_close("q", q, golden()[prefix + "grad_q"], {1e-4, 1e-6});
        if (result) result = gradient_close("k", k, golden()[prefix + "grad_k"], {1e-4, 1e-6});
        if (result) result = gradient_close("v", v, golden()[prefix + "grad_v"], {1e-4, 1e-6});
        if (!result) return result << (readable ? " (readable attention)" : "");
    }
    return testing::AssertionSuccess();
}

// --- 2.1 padding_mask -------------------------------------------------------------------------------------------

TEST(Step_2_1_padding_mask, equals_pytorch) {
    const Ids tokens = golden_ids("tokens");
    const auto real = [&](std::int64_t b, std::int64_t j) { return tokens(b, j) != 0; };
    const std::string queries =
        "the padding is hidden among the queries; it must be hidden among the keys: (batch, "
        "1, 1, key)";
    EXPECT_TRUE(mask_close(
        padding_mask(tokens, 0), golden()["mask.padding"],
        {suspect(
             "inverted: true where there is padding, as PyTorch's key_padding_mask; here true = may attend",
             {3, 1, 1, 6}, [=](auto b, auto, auto j) { return !real(b, j); }),
         suspect(queries, {3, 1, 6, 1}, [=](auto b, auto i, auto) { return real(b, i); }),
         suspect(queries, {3, 1, 6, 6}, [=](auto b, auto i, auto) { return real(b, i); }),
         suspect(
             "the mask is written out for every query; an axis of size 1 does, also for another number of "
             "queries",
             {3, 1, 6, 6}, [=](auto b, auto, auto j) { return real(b, j); }),
         suspect("padding is hidden among the queries as well: a padded query then sees nothing, and a mask "
                 "of this "
                 "shape does not fit another number of queries",
                 {3, 1, 6, 6}, [=](auto b, auto i, auto j) { return real(b, i) && real(b, j); }),
         {"the axes of heads and queries are missing: (batch, key) can't be told from (query, key)", [] {
              return reshape(golden()["mask.padding"], {3, 6});
          }}}));
}

TEST(Step_2_1_padding_mask, asks_for_the_id_that_it_is_given) {
    const auto row = [](const std::string& message, const std::vector<float>& values) {
        return Suspect{message, [=] { return Tensor::from({1, 1, 1, 5}, values); }};
    };
    const std::string by_order = "ids are compared by order; an id is only a name, use !=";
    EXPECT_TRUE(
        mask_close(padding_mask(ids({1, 5}, {0, 9, 7, 3, 7}), 7), Tensor::from({1, 1, 1, 5}, {1, 1, 0, 1, 0}),
                   {row("pad_id is ignored: tokens are compared with 0", {0, 1, 1, 1, 1}),
                    row("hidden from the first padding on; each token is judged by itself", {1, 1, 0, 0, 0}),
                    row(by_order, {0, 1, 0, 0, 0}), row(by_order, {1, 0, 0, 1, 0})}));
}

TEST(Step_2_1_padding_mask, attention_under_it_equals_pytorch) {
    const Mask mask = padding_mask(golden_ids("tokens"), 0);
    ASSERT_TRUE(has_shape(numbers(mask), {3, 1, 1, 6}));
    EXPECT_TRUE(attention_equals_pytorch("padding", mask));
}

TEST(Step_2_1_padding_mask, hides_the_padded_source_from_another_number_of_target_queries) {
    const Mask mask = padding_mask(golden_ids("tokens"), 0);
    ASSERT_TRUE(has_shape(numbers(mask), {3, 1, 1, 6}));
    EXPECT_TRUE(attention_equals_pytorch("cross", mask, "target.q"));
}

TEST(Step_2_1_padding_mask, a_padded_batch_gives_what_each_sentence_gives_alone) {
    const Mask mask = padding_mask(golden_ids("tokens"), 0);
    ASSERT_TRUE(has_shape(numbers(mask), {3, 1, 1, 6}));
    Rng rng(1);
    const MultiHeadAttention attention(8, 2, rng);
    const Tensor x = normal({3, 6, 8}, 2);
    const Tensor together = attention(x, x, x, mask).output;
    const std::size_t lengths[] = {6, 3, 4};
    for (std::size_t b = 0; b < 3; ++b) {
        const auto sentence = [&](const Tensor& t) { return slice(slice(t, 0, b, b + 1), 1, 0, lengths[b]); };
        const Tensor alone = sentence(x);
        EXPECT_TRUE(close_named(fmt::format("sentence {}", b + 1), sentence(together),
                                attention(alone, alone, alone).output, {1e-5, 1e-6}));
    }
}

TEST(Step_2_1_padding_mask, refuses_a_sentence_of_nothing_but_padding) {
    const Ids tokens = ids({3, 2}, {4, 0, 0, 0, 5, 6}), at_first = ids({2, 2}, {0, 0, 5, 6});
    bool first_refused = false;
    try {
        (void)padding_mask(at_first, 0);
    } catch (const ValueError&) {
        first_refused = true;
    }
    const std::string what = "padding_mask of a sentence that is only padding";
    const std::string sentence = refusal_of<ValueError>(
        [&] { (void)padding_mask(tokens, 0); }, what,
        first_refused ? "is `any` reset for each sentence? Only the first of a batch is refused" : "");
    EXPECT_TRUE(sentence.empty() || names(sentence, "2 of 3"))
        << "it says \"" << sentence << "\""
        << likely_if(true, "the sentence must say which one it is, counted from 1: \"sentence 2 of 3\"");
}

TEST(Step_2_1_padding_mask, refuses_what_is_not_a_batch_of_sentences) {
    EXPECT_TRUE(has_shape(numbers(padding_mask(ids({2, 1}, {1, 1}), 0)), {2, 1, 1, 1}));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)padding_mask(ids({3}, {1, 2, 3}), 0);
        },
        {"(3)"}, "ids of the shape (3)"));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)padding_mask(ids({0, 3}, {}), 0);
        },
        {"(0, 3)"}, "ids of the shape (0, 3)"));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)padding_mask(ids({3, 0}, {}), 0);
        },
        {"(3, 0)"}, "ids of the shape (3, 0)"));
}

// --- 2.2 causal_mask --------------------------------------------------------------------------------------------

std::vector<Suspect> causal_suspects(const Shape& shape, std::int64_t offset) {
    const std::int64_t guessed = static_cast<std::int64_t>(shape[3]) - static_cast<std::int64_t>(shape[2]);
    return {
        suspect("`offset` is guessed as keys - queries; there may be more keys than offset + queries", shape,
                [=](auto, auto i, auto j) { return j <= i + guessed; }),
        suspect("only the future is allowed: an additive mask (0 / -inf) was read as a boolean one, or the "
                "comparison is the wrong way round",
                shape, [=](auto, auto i, auto j) { return j > i + offset; }),
        suspect("upper triangle instead of lower: query i sees itself and the keys after it", shape,
                [=](auto, auto i, auto j) { return j >= i + offset; }),
        suspect("the diagonal is masked too: a query sees itself, j <= i + offset", shape,
                [=](auto, auto i, auto j) { return j < i + offset; }),
        suspect("one key of the future is allowed: j <= i + offset, not j <= i + offset + 1", shape,
                [=](auto, auto i, auto j) { return j <= i + offset + 1; }),
        suspect("the offset is ignored: query i stands at position i + offset of the keys", shape,
                [=](auto, auto i, auto j) { return j <= i; }),
        suspect("the offset has the wrong sign: the cached keys come first, so j <= i + offset", shape,
                [=](auto, auto i, auto j) { return j + offset <= i; })};
}

TEST(Step_2_2_causal_mask, equals_pytorch) {
    EXPECT_TRUE(mask_close(causal_mask(6), golden()["mask.causal"], causal_suspects({1, 1, 6, 6}, 0)));
}

TEST(Step_2_2_causal_mask, cached_keys_come_before_the_queries) {
    EXPECT_TRUE(
        mask_close(causal_mask(3, 8, 5), golden()["mask.causal_cached"], causal_suspects({1, 1, 3, 8}, 5)));
    // One query at a time, as a decoder asks, gives the rows of the whole mask. Such small masks tell no mistake from
    // another, so no cause is looked for.
    const Tensor whole = golden()["mask.causal"];
    for (std::size_t i = 0; i < 6; ++i) {
        const Tensor row = slice(slice(whole, 2, i, i + 1), 3, 0, i + 1);
        EXPECT_TRUE(close_named(fmt::format("causal_mask(1, {}, {})", i + 1, i),
                                numbers(causal_mask(1, i + 1, i)), row, {0, 0}));
    }
}

TEST(Step_2_2_causal_mask, keys_beyond_the_last_query_are_hidden) {
    const Shape shape{1, 1, 2, 7};
    EXPECT_TRUE(mask_close(causal_mask(2, 7, 3),
                           by_rule(shape, [](auto, auto i, auto j) { return j <= i + 3; }),
                           causal_suspects(shape, 3)));
}

TEST(Step_2_2_causal_mask, attention_under_it_equals_pytorch) {
    const Mask mask = causal_mask(6);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 6, 6}));
    EXPECT_TRUE(attention_equals_pytorch("causal", mask));
}

TEST(Step_2_2_causal_mask, what_comes_later_changes_not_one_bit_of_an_earlier_output) {
    const Mask mask = causal_mask(5);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 5, 5}));
    Rng rng(3);
    const MultiHeadAttention attention(8, 2, rng);
    const Tensor x = normal({1, 5, 8}, 4);
    const Tensor before = attention(x, x, x, mask).output;
    for (std::size_t j = 1; j < 5; ++j) {
        Array changed = x.array();
        for (std::size_t c = 0; c < 8; ++c) changed(0, j, c) += 100.0f;
        const Tensor other(changed), after = attention(other, other, other, mask).output;
        EXPECT_TRUE(close_named(fmt::format("outputs before position {}, after changing it", j),
                                slice(after, 1, 0, j), slice(before, 1, 0, j), {0, 0}))
            << likely_if(true, "a query sees the future" + never_written);
    }
}

TEST(Step_2_2_causal_mask, no_gradient_reaches_a_later_input) {
    const Mask mask = causal_mask(5);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 5, 5}));
    Rng rng(5);
    const MultiHeadAttention attention(8, 2, rng);
    for (std::size_t i = 0; i < 5; ++i) {
        const Tensor x = normal({1, 5, 8}, 6).set_requires_grad(true);
        sum(slice(attention(x, x, x, mask).output, 1, i, i + 1)).backward();
        const Tensor grad(x.grad());
        EXPECT_TRUE(close_named(fmt::format("gradient of output {} for the inputs after it", i),
                                slice(grad, 1, i + 1, 5), Tensor::zeros({1, 4 - i, 8}), {0, 0}))
            << likely_if(true, "a query sees the future" + never_written);
    }
}

TEST(Step_2_2_causal_mask, refuses_too_few_keys) {
    EXPECT_TRUE(has_shape(numbers(causal_mask(2, 4, 1)), {1, 1, 2, 4}));
    EXPECT_TRUE(
        refuses<ShapeError>([] { (void)causal_mask(3, 4, 5); }, {"3", "4", "5"}, "causal_mask(3, 4, 5)"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)causal_mask(0); }, {}, "causal_mask(0)"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)causal_mask(1, 4, std::numeric_limits<std::size_t>::max()); },
                                    {}, "an offset that is huge"));
}

// --- 2.3 combine ------------------------------------------------------------------------------------------------

TEST(Step_2_3_combine, equals_pytorch) {
    const Mask padding = golden_mask("padding"), causal = golden_mask("causal");
    const Tensor p = golden()["mask.padding"], c = golden()["mask.causal"];
    const Tensor all = Tensor::ones({3, 1, 6, 6});
    const std::vector<Suspect> suspects{
        {"`or` instead of `and`: a key is seen only where both masks allow it",
         [=] { return p + c - p * c; }},
        {"only the first mask has an effect", [=] { return p * all; }},
        {"only the second mask has an effect", [=] { return c * all; }},
        {"only the first mask is returned; the result has the shape of both", [=] { return p; }},
        {"only the second mask is returned; the result has the shape of both", [=] { return c; }},
        {"entries are paired in memory order; write both out with `expanded` first",
         [=] {
             Array paired = all.array();
             for (std::size_t i = 0; i < paired.size(); ++i)
                 paired.data()[i] = p.values()[i % p.size()] * c.values()[i % c.size()];
             return Tensor(std::move(paired));
         }},
        {"allowed where the masks agree, also where both forbid", [=] { return 1.0f - (p - c) * (p - c); }},
        {"inverted: forbidden where both allow", [=] { return 1.0f - p * c; }}};
    const Tensor expected = golden()["mask.padding_and_causal"];
    try {
        EXPECT_TRUE(close(numbers(padding & causal), expected, {0, 0}, suspects));
        EXPECT_TRUE(close_named("the other way round", numbers(causal & padding), expected, {0, 0}));
    } catch (const ShapeError& error) {
        FAIL() << error.what()
               << likely_if(true,
                            "neither has to have the shape of the result: (3, 1, 1, 6) & (1, 1, 6, 6) is (3, "
                            "1, 6, 6); ask broadcast_shapes for it and expand both");
    }
}

TEST(Step_2_3_combine, masks_of_one_shape_and_of_fewer_axes) {
    EXPECT_TRUE(close(numbers(golden_mask("document") & golden_mask("causal")),
                      golden()["mask.document_and_causal"], {0, 0}));
    const Mask keys = Mask::from({3}, {1, 0, 1}), map = Mask::from({2, 3}, {1, 1, 0, 0, 1, 1});
    const Tensor both = Tensor::from({2, 3}, {1, 0, 0, 0, 0, 1});
    EXPECT_TRUE(close(
        numbers(keys & map), both, {0, 0},
        {{"axes of size 1 are added in front; the result has as many axes as the mask that has more", [=] {
              return reshape(both, {1, 1, 2, 3});
          }}}));
}

TEST(Step_2_3_combine, attention_under_both_equals_pytorch) {
    for (const std::string other : {"padding", "document"}) {
        const Mask mask = golden_mask(other) & golden_mask("causal");
        ASSERT_TRUE(has_shape(numbers(mask), {3, 1, 6, 6}));
        EXPECT_TRUE(attention_equals_pytorch(other + "_and_causal", mask));
    }
}

TEST(Step_2_3_combine, a_query_that_is_left_with_nothing_gets_zeros) {
    const Mask not_for_2 = Mask::from({6, 1}, {1, 1, 0, 1, 1, 1});
    const Mask mask = golden_mask("causal") & not_for_2;
    ASSERT_TRUE(close(numbers(mask), golden()["mask.nothing_for_query_2"], {0, 0}));
    EXPECT_TRUE(attention_equals_pytorch("nothing_for_query_2", mask));
    const Tensor q = leaf("q"), k = leaf("k"), v = leaf("v");
    const AttentionOutput none =
        scaled_dot_product_attention(q, k, v, mask & Mask::from({6}, {0, 0, 0, 0, 0, 0}));
    EXPECT_TRUE(close(none.output, Tensor::zeros({3, 2, 6, 5}), {0, 0}));
    sum(none.output).backward();
    for (const Tensor& input : {q, k, v}) EXPECT_TRUE(close(Tensor(input.grad()), input * 0.0f, {0, 0}));
}

TEST(Step_2_3_combine, refuses_shapes_that_do_not_broadcast) {
    const Mask five = Mask::from({5}, {1, 1, 1, 1, 1});
    EXPECT_TRUE(has_shape(numbers(five & five), {5}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)(five & golden_mask("causal")); }, {"(5)", "(1, 1, 6, 6)"},
                                    "5 keys & 6 keys"));
}

// --- 2.4 sliding_window_mask ------------------------------------------------------------------------------------

const std::string itself_hidden = "a query doesn't see itself: its distance is 0, and 0 < window";
const std::string blocks = "the windows are blocks; each query has its own";

TEST(Step_2_4_sliding_window_mask, equals_pytorch) {
    const Shape shape{1, 1, 6, 6};
    const auto rule = [&](const std::string& message, const Rule& r) { return suspect(message, shape, r); };
    EXPECT_TRUE(
        mask_close(sliding_window_mask(6, 3), golden()["mask.window"],
                   {rule("the window is one key too long: `window` counts the query itself",
                         [](auto, auto i, auto j) { return j <= i && i - j <= 3; }),
                    rule("the window is one key too short: `window` counts the query itself, so window 1 "
                         "still sees one key",
                         [](auto, auto i, auto j) { return j <= i && i - j < 2; }),
                    rule("the window sees the future: Window::causal needs j <= i as well",
                         [](auto, auto i, auto j) { return i - j < 3; }),
                    rule("the window sees the future: Window::causal looks back only",
                         [](auto, auto i, auto j) { return std::abs(i - j) < 3; }),
                    rule("the first queries see nothing: i - window + 1 of std::size_t wraps around below "
                         "0; compare i - j "
                         "(where j <= i) or j + window",
                         [](auto, auto i, auto j) { return i >= 2 && j <= i && j >= i - 2; }),
                    rule(itself_hidden, [](auto, auto i, auto j) { return j < i && i - j < 3; }),
                    rule(itself_hidden, [](auto, auto i, auto j) { return j < i && i - j <= 3; }),
                    rule(blocks, [](auto, auto i, auto j) { return j <= i && i / 3 == j / 3; }),
                    rule(blocks, [](auto, auto i, auto j) { return i / 3 == j / 3; }),
                    rule("the window has no end: this is the causal mask",
                         [](auto, auto i, auto j) { return j <= i; })}));
}

TEST(Step_2_4_sliding_window_mask, symmetric_sees_as_many_after_as_before) {
    const Shape shape{1, 1, 6, 6};
    EXPECT_TRUE(mask_close(
        sliding_window_mask(6, 3, Window::symmetric), golden()["mask.window_symmetric"],
        {suspect("nothing after the query is seen: kind is ignored, or i - j of std::size_t wraps "
                 "around where j > i",
                 shape, [](auto, auto i, auto j) { return j <= i && i - j < 3; }),
         suspect("half a window on each side: here `window` counts one side with the query itself", shape,
                 [](auto, auto i, auto j) { return std::abs(i - j) <= 1; }),
         suspect("the window is one key too long on each side", shape,
                 [](auto, auto i, auto j) { return std::abs(i - j) <= 3; }),
         suspect(itself_hidden, shape, [](auto, auto i, auto j) { return i != j && std::abs(i - j) < 3; }),
         suspect(blocks, shape, [](auto, auto i, auto j) { return i / 3 == j / 3; }),
         suspect("the window looks ahead only", shape,
                 [](auto, auto i, auto j) { return j >= i && j - i < 3; })}));
}

TEST(Step_2_4_sliding_window_mask, attention_under_it_equals_pytorch) {
    const Mask causal = sliding_window_mask(6, 3), symmetric = sliding_window_mask(6, 3, Window::symmetric);
    ASSERT_TRUE(has_shape(numbers(causal), {1, 1, 6, 6}));
    ASSERT_TRUE(has_shape(numbers(symmetric), {1, 1, 6, 6}));
    EXPECT_TRUE(attention_equals_pytorch("window", causal));
    EXPECT_TRUE(attention_equals_pytorch("window_symmetric", symmetric));
}

TEST(Step_2_4_sliding_window_mask, from_itself_alone_to_everything) {
    const auto window = [](std::size_t w, Window kind = Window::causal) {
        return [=] { return sliding_window_mask(7, w, kind); };
    };
    EXPECT_TRUE(allows("window 1", window(1), 7, "the diagonal"));
    EXPECT_TRUE(allows("symmetric window 1", window(1, Window::symmetric), 7, "the diagonal"));
    EXPECT_TRUE(allows("window 7 of 7", window(7), 28, "the causal mask"));
    EXPECT_TRUE(allows("window 100 of 7", window(100), 28, "the causal mask"));
    EXPECT_TRUE(allows("symmetric window 7 of 7", window(7, Window::symmetric), 49, "everything"));
    EXPECT_TRUE(allows("symmetric window 100 of 7", window(100, Window::symmetric), 49, "everything"));
}

TEST(Step_2_4_sliding_window_mask, refuses_a_window_of_nothing) {
    EXPECT_TRUE(has_shape(numbers(sliding_window_mask(1, 1)), {1, 1, 1, 1}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)sliding_window_mask(4, 0); }, {"window", "0"}, "window 0"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)sliding_window_mask(4, 0, Window::symmetric); }, {},
                                    "symmetric window 0"));
    EXPECT_TRUE(
        refuses<ShapeError>([] { (void)sliding_window_mask(0, 3); }, {}, "a sequence of 0 positions"));
}

// --- 2.5 prefix_mask --------------------------------------------------------------------------------------------

TEST(Step_2_5_prefix_mask, equals_pytorch) {
    const Shape shape{1, 1, 6, 6};
    const auto rule = [&](const std::string& message, const Rule& r) { return suspect(message, shape, r); };
    EXPECT_TRUE(mask_close(
        prefix_mask(6, 3), golden()["mask.prefix"],
        {rule("the prefix is applied to the queries: the question sees the answer; it must be the key "
              "that lies in "
              "the prefix",
              [](auto, auto i, auto j) { return j <= i || i < 3; }),
         rule("the prefix has no effect: this is the causal mask",
              [](auto, auto i, auto j) { return j <= i; }),
         rule("the answer sees nothing but the prefix, not even itself",
              [](auto, auto, auto j) { return j < 3; }),
         rule("the answer does not see the prefix: it is causal, and sees all that comes before it",
              [](auto, auto i, auto j) { return (i < 3 && j < 3) || (i >= 3 && j >= 3 && j <= i); }),
         rule("the answer sees the future: only inside of the prefix may a query look ahead",
              [](auto, auto i, auto j) { return j < 3 || i >= 3; }),
         rule("the prefix is one position too long: its positions are 0 … prefix - 1",
              [](auto, auto i, auto j) { return j <= i || j <= 3; }),
         rule("`and` instead of `or`: a key is seen where it comes before, or lies in the prefix",
              [](auto, auto i, auto j) { return j <= i && j < 3; })}));
}

TEST(Step_2_5_prefix_mask, attention_under_it_equals_pytorch) {
    const Mask mask = prefix_mask(6, 3);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 6, 6}));
    EXPECT_TRUE(attention_equals_pytorch("prefix", mask));
}

TEST(Step_2_5_prefix_mask, no_prefix_is_causal_and_all_prefix_is_everything) {
    EXPECT_TRUE(close_named("prefix 0", numbers(prefix_mask(6, 0)), golden()["mask.causal"], {0, 0}));
    EXPECT_TRUE(close_named("prefix 6", numbers(prefix_mask(6, 6)), Tensor::ones({1, 1, 6, 6}), {0, 0}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)prefix_mask(6, 7); }, {"7", "6"}, "prefix 7 of 6"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)prefix_mask(0, 0); }, {}, "a sequence of 0 positions"));
}

// --- 2.6 document_mask ------------------------------------------------------------------------------------------

TEST(Step_2_6_document_mask, equals_pytorch) {
    const Ids d = golden_ids("documents");
    const Shape shape{3, 1, 6, 6};
    const auto rule = [&](const std::string& message, const Rule& r) { return suspect(message, shape, r); };
    const auto one_run = [&](std::int64_t b, std::int64_t i, std::int64_t j) {
        for (std::int64_t at = std::min(i, j); at < std::max(i, j); ++at) {
            if (d(b, at) != d(b, at + 1)) return false;
        }
        return true;
    };
    EXPECT_TRUE(mask_close(
        document_mask(d), golden()["mask.document"],
        {rule("inverted: true where the documents differ",
              [&](auto b, auto i, auto j) { return d(b, i) != d(b, j); }),
         rule(
             "neighbours are compared: a query sees only the key beside it; compare query i with every key j",
             [&](auto b, auto i, auto j) { return std::abs(i - j) <= 1 && d(b, i) == d(b, j); }),
         rule("neighbours are compared: a document that goes on after another is not recognised", one_run),
         rule("the mask of sequence 0 is used for all of the batch",
              [&](auto, auto i, auto j) { return d(0, i) == d(0, j); }),
         rule("the order is mixed in: combine with the causal mask by &, an encoder needs both directions",
              [&](auto b, auto i, auto j) { return j <= i && d(b, i) == d(b, j); }),
         rule("documents are compared by < or <=: a query sees other documents",
              [&](auto b, auto i, auto j) { return d(b, j) <= d(b, i); })}));
}

TEST(Step_2_6_document_mask, any_number_may_name_a_document) {
    const Ids d = ids({1, 5}, {0, 0, -1, -1, 7});
    const Shape shape{1, 1, 5, 5};
    const std::string cause =
        "a document number of 0 or below is treated as padding; any number may name a document";
    const auto padding_up_to = [&](std::int64_t last) {
        return suspect(cause, shape,
                       [=](auto, auto i, auto j) { return d(0, j) > last && d(0, i) == d(0, j); });
    };
    EXPECT_TRUE(mask_close(
        document_mask(d), by_rule(shape, [&](auto, auto i, auto j) { return d(0, i) == d(0, j); }),
        {padding_up_to(0), padding_up_to(-1),
         suspect(cause, shape, [&](auto, auto i, auto j) { return d(0, j) != 0 && d(0, i) == d(0, j); })}));
}

TEST(Step_2_6_document_mask, queries_and_keys_of_different_length_equal_pytorch) {
    const Ids keys = golden_ids("documents");
    Ids queries = Ids::from_shape({3, 4});
    for (std::size_t b = 0; b < 3; ++b) {
        for (std::size_t i = 0; i < 4; ++i) queries(b, i) = keys(b, i + 1);
    }
    EXPECT_TRUE(
        close(numbers(document_mask(queries, keys)), golden()["mask.document_cross"], {0, 0},
              {suspect("the documents of the keys are looked up for the queries too; they have their own",
                       {3, 1, 4, 6}, [&](auto b, auto i, auto j) { return keys(b, i) == keys(b, j); }),
               suspect("the number of keys is taken from the documents of the queries; they may differ",
                       {3, 1, 4, 4}, [&](auto b, auto i, auto j) { return queries(b, i) == keys(b, j); }),
               suspect("the documents of the keys are never looked at", {3, 1, 4, 4},
                       [&](auto b, auto i, auto j) { return queries(b, i) == queries(b, j); }),
               {"the axes of query and key are swapped",
                [&] { return transpose(golden()["mask.document_cross"], 2, 3); }}}));
}

TEST(Step_2_6_document_mask, packed_documents_give_what_each_gives_alone) {
    const Mask mask = document_mask(ids({1, 5}, {1, 1, 2, 2, 2}));
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 5, 5}));
    Rng rng(7);
    const MultiHeadAttention attention(8, 2, rng);
    const Tensor x = normal({1, 5, 8}, 8), packed = attention(x, x, x, mask).output;
    const Tensor a = slice(x, 1, 0, 2), b = slice(x, 1, 2, 5);
    const Tensor alone = concat({attention(a, a, a).output, attention(b, b, b).output}, 1);
    bool other_seen = false;  // documents 0 … 1 and 2 … 4
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < 5; ++j)
            other_seen = other_seen || ((i < 2) != (j < 2) && mask.array()(0, 0, i, j));
    }
    EXPECT_TRUE(close(packed, alone, {1e-5, 1e-6}))
        << likely_if(other_seen, "a query sees another document" + never_written);
}

TEST(Step_2_6_document_mask, attention_under_it_equals_pytorch) {
    const Mask mask = document_mask(golden_ids("documents"));
    ASSERT_TRUE(has_shape(numbers(mask), {3, 1, 6, 6}));
    EXPECT_TRUE(attention_equals_pytorch("document", mask));
}

TEST(Step_2_6_document_mask, refuses_batches_that_differ) {
    const Ids one = ids({1, 2}, {1, 1}), two = ids({2, 2}, {1, 1, 2, 2});
    EXPECT_TRUE(has_shape(numbers(document_mask(one)), {1, 1, 2, 2}));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)document_mask(one, two); }, {"1 sequences", "2 of keys"},
                                    "a batch of 1 with a batch of 2"));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)document_mask(ids({2}, {1, 1}));
        },
        {"(2)"}, "ids of the shape (2)"));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)document_mask(ids({1, 0}, {}));
        },
        {"(1, 0)"}, "ids of the shape (1, 0)"));
}

// --- 2.7 additive_mask ------------------------------------------------------------------------------------------

TEST(Step_2_7_additive_mask, equals_pytorch) {
    const std::string finite =
        "a large negative number in place of -infinity: a query that may attend to nothing "
        "then attends to everything";
    for (const std::string name : {"padding", "causal", "document_and_causal"}) {
        const Tensor allowed = golden()["mask." + name], expected = golden()["additive." + name];
        const Tensor additive = additive_mask(golden_mask(name));
        EXPECT_TRUE(close_named(
            name, additive, expected, {0, 0},
            {{"1 where the mask allows: what is allowed is added to the score, so it must be 0",
              [=] { return masked_fill(Tensor::full(allowed.shape(), 1.0f), golden_mask(name), -infinity); }},
             {"the shape is lost: the additive mask has that of the mask",
              [=] { return reshape(expected, {expected.size()}); }},
             {"ones and zeros: added to the scores, they forbid nothing; 0 is allowed, -infinity is not",
              [=] { return allowed; }},
             {"inverted: -infinity stands where the mask allows",
              [=] {
                  return masked_fill(Tensor::full(allowed.shape(), -infinity), golden_mask(name), 0.0f) *
                         1.0f;
              }},
             {finite, [=] { return (1.0f - allowed) * -1e9f; }},
             {finite, [=] { return (1.0f - allowed) * -1e4f; }},
             {finite, [=] { return (1.0f - allowed) * std::numeric_limits<float>::lowest(); }}}))
            << likely_if(contains_nan(additive), "0 * -infinity is NaN: choose the value, don't multiply");
    }
}

TEST(Step_2_7_additive_mask, added_to_the_scores_it_masks_them) {
    const Tensor scores = normal({3, 1, 6, 6}, 9);
    const Mask mask = golden_mask("document_and_causal");
    const Tensor additive = additive_mask(mask);
    ASSERT_TRUE(has_shape(additive, {3, 1, 6, 6}));
    EXPECT_TRUE(close(scores + additive, masked_fill(scores, mask, -infinity), {0, 0}));
    const Tensor nothing = additive_mask(Mask::from({1, 3}, {0, 0, 0}));
    EXPECT_TRUE(close_named("weights of a query that may attend to nothing",
                            softmax(Tensor::from({1, 3}, {1, 2, 3}) + nothing), Tensor::zeros({1, 3}),
                            {0, 0}));
}

TEST(Step_2_7_additive_mask, the_way_back_equals_the_mask) {
    for (const std::string name : {"padding", "causal", "window", "prefix", "document"}) {
        const Tensor allowed = golden()["mask." + name];
        EXPECT_TRUE(close_named(name, numbers(mask_from_additive(golden()["additive." + name])), allowed,
                                {0, 0},
                                {{"the additive mask is read as a boolean one, as `mask == 0` and a cast to "
                                  "bool do: 0 means allowed, "
                                  "-infinity forbidden",
                                  [=] { return 1.0f - allowed; }},
                                 {"the shape is lost: the mask has that of the additive one",
                                  [=] { return reshape(allowed, {allowed.size()}); }}}));
    }
}

TEST(Step_2_7_additive_mask, the_mask_of_the_notes_comes_out_right_this_way) {
    const Mask mask = mask_from_additive(golden()["notes.causal"]);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 6, 6}));
    const Tensor q = golden()["q"], k = golden()["k"], v = golden()["v"];
    EXPECT_TRUE(close(scaled_dot_product_attention(q, k, v, mask).weights,
                      golden()["attention.causal.weights"], {1e-5, 1e-6}))
        << likely_if(close(numbers(mask), 1.0f - golden()["mask.causal"]),
                     "the additive mask is read as a boolean one: what remains is the future");
}

TEST(Step_2_7_additive_mask, refuses_what_is_neither_zero_nor_minus_infinity) {
    struct Case {
        float entry;
        std::vector<std::string> texts;  // as fmt and as a stream write it
        std::string cause;
    };
    for (const Case& c :
         {Case{1.0f, {"1"}, "boolean"}, Case{-1e9f, {"-1000000000", "-1e+09"}, "large negative number"},
          Case{0.5f, {"0.5"}, "score"}, Case{infinity, {"inf"}, ""}, Case{std::nanf(""), {"nan"}, ""}}) {
        const Tensor additive = Tensor::from({2, 2}, {0.0f, -infinity, 0.0f, c.entry});
        const std::string what = "an entry of " + c.texts.back();
        const std::string sentence =
            refusal_of<ValueError>([&] { (void)mask_from_additive(additive); }, what);
        EXPECT_TRUE(sentence.empty() || (names(sentence, "3") && (names(sentence, c.texts.front()) ||
                                                                  names(sentence, c.texts.back()))))
            << "it says \"" << sentence << "\""
            << likely_if(true, "the sentence must name the entry's index, here 3, and its value");
        EXPECT_TRUE(sentence.empty() || names(sentence, c.cause))
            << "it says \"" << sentence << "\""
            << likely_if(true, "the sentence must end in the likely_cause of that entry");
    }
}

}  // namespace
}  // namespace tfs::test
