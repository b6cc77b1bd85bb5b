// tests/11_generation/key_value_cache_test.cpp · step key_value_cache: what is kept, where, and the logits of models that read it
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "chapters/11_generation/given/prompts.hpp"
#include "tests/11_generation/cache_script.hpp"
#include "tests/11_generation/cached_logits.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

CacheCall comes(std::size_t seq) { return {CacheCall::append, {seq}}; }
CacheCall drops(std::vector<std::size_t> newest) { return {CacheCall::drop, std::move(newest)}; }
CacheCall picks(std::vector<std::size_t> rows) { return {CacheCall::pick, std::move(rows)}; }

// --- what is kept

TEST(key_value_cache, keeps_what_came_in_its_order) {
    EXPECT_TRUE(
        keeps_the_right_rows({.positions = 20, .calls = {comes(3), comes(1), comes(1), comes(2), comes(1)}}));
    EXPECT_TRUE(keeps_the_right_rows(
        {.positions = 15, .heads = 3, .d_v = 3, .layers = 3, .calls = {comes(4), comes(1)}}))
        << "keys are 2 wide here, values 3";
}

TEST(key_value_cache, rows_of_the_batch_have_lengths_of_their_own) {
    EXPECT_TRUE(keeps_the_right_rows({.positions = 16, .batch = 3, .calls = {comes(4), comes(1), comes(2)}}));
    EXPECT_TRUE(keeps_the_right_rows(
        {.positions = 16, .batch = 3, .calls = {comes(5), drops({0, 3, 1}), comes(1), comes(2)}}));
}

TEST(key_value_cache, drops_the_newest) {
    EXPECT_TRUE(keeps_the_right_rows(
        {.positions = 16, .calls = {comes(5), drops({2}), comes(1), drops({0}), drops({4}), comes(2)}}));
    EXPECT_TRUE(keeps_the_right_rows({.positions = 16,
                                      .batch = 3,
                                      .layers = 3,
                                      .calls = {comes(4), drops({1, 0, 4}), comes(2), drops({2, 1, 0})}}));
}

TEST(key_value_cache, picks_rows_in_any_order_and_number) {
    EXPECT_TRUE(keeps_the_right_rows({.positions = 9,
                                      .batch = 3,
                                      .d_v = 3,
                                      .calls = {comes(4), drops({0, 2, 1}), picks({2, 0, 1}), comes(1)}}));
    EXPECT_TRUE(keeps_the_right_rows({.positions = 16,
                                      .batch = 3,
                                      .layers = 3,
                                      .calls = {comes(3), drops({1, 0, 2}), picks({2, 0, 2, 2}), comes(1),
                                                picks({1}), comes(2), picks({0, 0}), comes(1)}}));
}

TEST(key_value_cache, a_window_forgets_the_oldest) {
    EXPECT_TRUE(
        keeps_the_right_rows({.positions = 20,
                              .window = 4,
                              .calls = {comes(2), comes(1), comes(1), comes(1), comes(1), comes(1)}}));
    EXPECT_TRUE(keeps_the_right_rows(
        {.positions = 20, .window = 4, .batch = 2, .calls = {comes(4), comes(1), comes(1)}}));
    EXPECT_TRUE(
        keeps_the_right_rows({.positions = 20, .window = 1, .calls = {comes(1), comes(1), comes(1)}}));
}

TEST(key_value_cache, a_window_may_be_full_in_some_rows_only) {
    EXPECT_TRUE(keeps_the_right_rows(
        {.positions = 20,
         .window = 4,
         .batch = 3,
         .calls = {comes(4), drops({0, 3, 1}), comes(1), comes(1), picks({1, 2, 1}), comes(1), comes(1)}}));
    EXPECT_TRUE(keeps_the_right_rows({.positions = 20,
                                      .window = 4,
                                      .batch = 2,
                                      .calls = {comes(4), comes(1), comes(1), drops({2, 0}), comes(1),
                                                comes(1), drops({0, 1}), comes(1)}}));
}

// Any calls in any order, with which there is room.
TEST(key_value_cache, keeps_the_right_rows_whatever_is_called) {
    Rng rng(1);
    for (std::size_t trial = 0; trial < 20; ++trial) {
        CacheScript script{.positions = 14, .batch = 1 + rng.below(3), .d_v = 3};
        if (rng.below(2) == 1) script.window = 1 + rng.below(5);
        const std::size_t room = script.window.value_or(script.positions);
        std::vector<std::size_t> kept(script.batch, 0);
        for (std::size_t call = 0; call < 7; ++call) {
            const std::size_t what = call == 0 ? 0 : rng.below(4);
            const std::size_t most = *std::max_element(kept.begin(), kept.end());
            if (what == 2) {
                std::vector<std::size_t> newest;
                for (std::size_t& one : kept) one -= newest.emplace_back(rng.below(one + 1));
                script.calls.push_back(drops(newest));
            } else if (what == 3) {
                std::vector<std::size_t> rows(1 + rng.below(4)), picked_kept;
                for (std::size_t& row : rows) picked_kept.push_back(kept[row = rng.below(kept.size())]);
                kept = picked_kept;
                script.calls.push_back(picks(rows));
            } else if (most < room || script.window) {
                const std::size_t seq = most < room ? 1 + rng.below(room - most) : 1;
                for (std::size_t& one : kept) one = std::min(one + seq, room);
                script.calls.push_back(comes(seq));
            }
        }
        ASSERT_TRUE(keeps_the_right_rows(script))
            << fmt::format("room for {} positions{}", room, script.window ? ", a window" : "");
    }
}

// --- where it is kept

std::vector<std::size_t> counts_of(const Offset& offset) {
    std::vector<std::size_t> all;
    for (std::size_t row = 0; row < offset.rows(); ++row) all.push_back(offset[row]);
    return all;
}

TEST(key_value_cache, append_writes_in_place) {
    const NoGrad no_grad;
    const auto where = [](const float* now, const float* before) -> std::string {
        return now == before ? "in place" : "elsewhere";
    };
    for (const std::optional<std::size_t> window : {std::optional<std::size_t>(), {std::size_t{3}}}) {
        KeyValueCache cache(9, window);
        const Tensor x = normal({2, 3, 1, 4}, 5);
        (void)cache.append(0, {x, x});
        const float *const keys = cache.layers[0].keys.data(), *const values = cache.layers[0].values.data();
        std::vector<std::string> places;
        std::vector<std::size_t> bytes{cache.bytes()};
        for (std::size_t t = 1; t < 9; ++t) {
            const KeysValues all = cache.append(0, {x, x});
            places.push_back(where(cache.layers[0].keys.data(), keys));
            places.push_back(where(cache.layers[0].values.data(), values));
            bytes.push_back(cache.bytes());
        }
        EXPECT_EQ(places, std::vector<std::string>(16, "in place"))
            << "the memory of keys and values, after each append but the first";
        EXPECT_EQ(bytes, std::vector<std::size_t>(9, 2u * 2 * 3 * 4 * cache.capacity * sizeof(float)))
            << "bytes of keys and values of 2 rows and 3 heads of 4, for the whole capacity";
    }
}

TEST(key_value_cache, next_position_counts_what_is_forgotten_but_not_what_is_dropped) {
    using Counts = std::vector<std::size_t>;
    KeyValueCache cache(20, 3);
    EXPECT_EQ(counts_of(cache.next_position()), Counts{0});
    const Tensor x = normal({2, 1, 1, 4}, 5);
    for (std::size_t t = 0; t < 6; ++t) (void)cache.append(0, {x, x});
    EXPECT_EQ(counts_of(cache.next_position()), (Counts{6, 6}));
    EXPECT_EQ(cache.layers[0].kept, (Counts{3, 3}));
    EXPECT_EQ(counts_of(cache.lengths(0)), (Counts{2, 2}))
        << "of a full window the next position sees all but the oldest";
    cache.drop({2, 0});
    EXPECT_EQ(counts_of(cache.next_position()), (Counts{4, 6}));
    cache.pick({1, 0, 0});
    EXPECT_EQ(counts_of(cache.next_position()), (Counts{6, 4, 4}));
    EXPECT_EQ(counts_of(cache.lengths(0)), (Counts{2, 1, 1}));
}

TEST(key_value_cache, refuses_what_does_not_fit) {
    const NoGrad no_grad;
    const Tensor x = normal({2, 3, 4, 5}, 1), one = slice(x, 2, 0, 1);
    const auto append = [](KeyValueCache& cache, const Tensor& t) { (void)cache.append(0, {t, t}); };
    KeyValueCache cache(6);
    append(cache, x);
    EXPECT_TRUE(
        refuses<ValueError>([&] { append(cache, x); }, {"4", "6"}, "more positions than there is room"));
    EXPECT_TRUE(refuses<ShapeError>([&] { append(cache, slice(x, 0, 0, 1)); }, {"2", "1"}, "another batch"));
    EXPECT_TRUE(refuses<ShapeError>([&] { append(cache, slice(x, 1, 0, 2)); }, {"3", "2"}, "other heads"));
    EXPECT_TRUE(refuses<ValueError>([&] { cache.drop({1, 5}); }, {"1", "5", "4"}, "a drop of too many"));
    EXPECT_TRUE(refuses<ValueError>([&] { cache.drop({1}); }, {"1", "2"}, "a drop of another batch"));
    EXPECT_TRUE(refuses<ValueError>([&] { cache.pick({0, 2}); }, {"2"}, "a row that is not there"));
    EXPECT_TRUE(refuses<ValueError>([&] { cache.pick({}); }, {"no row"}, "no row"));
    EXPECT_EQ(counts_of(cache.lengths(0)), (std::vector<std::size_t>{4, 4}))
        << "what was refused changes nothing";
    KeyValueCache window(6, 3);
    EXPECT_TRUE(refuses<ValueError>([&] { append(window, x); }, {"4", "3"}, "more than a window at once"));
    append(window, slice(x, 2, 0, 2));
    EXPECT_TRUE(refuses<ValueError>([&] { append(window, slice(x, 2, 0, 2)); }, {"2", "3"},
                                    "two positions where a window has room for one"));
    append(window, one);
    append(window, one);
    EXPECT_TRUE(refuses<ValueError>([] { KeyValueCache(0); }, {"one position"}));
    EXPECT_TRUE(refuses<ValueError>([] { KeyValueCache(4, 0); }, {"one position"}));
}

// --- models that read it

// The model reads drawn tokens as the script says, behind what the cache keeps. Its logits must be those of each whole text,
// without a cache; with a window, those of the blocks one by one with a mask of chapter 02.
testing::AssertionResult logits_are_right(const NamedWriter& writer, const CacheScript& script) {
    const NoGrad no_grad;
    const LanguageModel model = writer.reads();
    KeyValueCache cache(script.positions, script.window);
    std::vector<TokenIds> texts(script.batch);
    Rng rng(7);
    for (std::size_t i = 0; i < script.calls.size(); ++i) {
        const auto& [what, numbers] = script.calls[i];
        if (what == CacheCall::append) {
            const std::size_t seq = numbers[0];
            std::vector<TokenIds> more(texts.size());
            for (std::size_t row = 0; row < texts.size(); ++row)
                for (std::size_t t = 0; t < seq; ++t)
                    texts[row].push_back(more[row].emplace_back(static_cast<std::int64_t>(rng.below(11))));
            const Tensor logits =
                model.logits(columns(more, 0, seq), {.offset = cache.next_position(), .earlier = &cache});
            for (std::size_t row = 0; row < texts.size(); ++row) {
                const TokenIds& text = texts[row];
                const Tensor whole = script.window ? logits_in_window(writer.model, text, *script.window)
                                                   : logits_of(model, text);
                const auto result = close_named(
                    fmt::format("{}, {}, logits of row {}", writer.name, call_in_words(script, i), row),
                    reshape(slice(logits, 0, row, row + 1), {seq, model.vocab_size}),
                    slice(whole, 0, text.size() - seq, text.size()), {1e-5, 1e-5});
                if (!result) return result;
            }
        } else if (what == CacheCall::drop) {
            cache.drop(numbers);
            for (std::size_t row = 0; row < texts.size(); ++row)
                texts[row].resize(texts[row].size() - numbers[row]);
        } else {
            cache.pick(numbers);
            const std::vector<TokenIds> before = texts;
            texts.clear();
            for (const std::size_t row : numbers) texts.push_back(before[row]);
        }
        spoil_free_room(cache);
    }
    return testing::AssertionSuccess();
}

// A model of each kind; the mask of a window is that of a decoder.
testing::AssertionResult each_kind_reads(const CacheScript& script) {
    for (const NamedWriter& writer : named_writers()) {
        if (script.window && writer.is_translator()) continue;
        if (const auto result = logits_are_right(writer, script); !result) return result;
    }
    return testing::AssertionSuccess();
}

std::vector<CacheCall> one_by_one(std::size_t first, std::size_t more) {
    std::vector<CacheCall> calls{comes(first)};
    calls.resize(more + 1, comes(1));
    return calls;
}

TEST(key_value_cache, logits_of_a_text_in_parts_are_those_of_the_whole) {
    EXPECT_TRUE(each_kind_reads({.positions = 24, .calls = one_by_one(1, 11)}));
    EXPECT_TRUE(
        each_kind_reads({.positions = 24, .calls = {comes(3), comes(4), comes(1), comes(2), comes(14)}}));
    EXPECT_TRUE(each_kind_reads({.positions = 24, .calls = {comes(24)}}));
}

// A batch of prompts that are filled up, as `generate` reads them.
TEST(key_value_cache, logits_of_unequal_texts_in_a_batch_are_those_of_each_alone) {
    EXPECT_TRUE(each_kind_reads(
        {.positions = 9, .batch = 3, .calls = {comes(5), drops({0, 3, 1}), comes(1), comes(2), comes(1)}}));
}

TEST(key_value_cache, logits_after_drop_and_pick_are_those_of_the_texts_that_stay) {
    EXPECT_TRUE(each_kind_reads(
        {.positions = 12,
         .batch = 3,
         .calls = {comes(4), comes(2), drops({2, 2, 2}), picks({2, 0, 2}), comes(3), picks({1}), comes(1)}}));
}

TEST(key_value_cache, logits_of_a_window_are_those_of_a_mask) {
    EXPECT_TRUE(each_kind_reads({.positions = 24, .window = 1, .calls = one_by_one(1, 4)}));
    EXPECT_TRUE(each_kind_reads({.positions = 24, .window = 4, .calls = one_by_one(4, 9)}));
    EXPECT_TRUE(each_kind_reads({.positions = 24, .window = 23, .calls = one_by_one(20, 4)}));
}

// Rows that keep 4, 1 and 3 positions of a window of 4: some forget and others don't, until all are full.
TEST(key_value_cache, logits_of_a_window_are_right_where_it_is_full_in_some_rows_only) {
    CacheScript script{.positions = 24, .window = 4, .batch = 3, .calls = one_by_one(4, 6)};
    script.calls.insert(script.calls.begin() + 1, drops({0, 3, 1}));
    EXPECT_TRUE(each_kind_reads(script));
}

}  // namespace
}  // namespace tfs::test
