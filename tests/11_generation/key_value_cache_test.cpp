// tests/11_generation/key_value_cache_test.cpp · step key_value_cache: what is kept, where, and the logits of models that read it
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tests/11_generation/cache_suspects.hpp"
#include "tests/11_generation/cached_logits.hpp"
#include "tests/11_generation/checklist.hpp"
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
    for (std::size_t trial = 0; trial < 60; ++trial) {
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

// Else the checks above say why not.
testing::AssertionResult the_right_rows_are_kept() {
    const std::vector<CacheCall> calls{comes(4), drops({0, 2, 1}), picks({2, 0, 2}), comes(1)};
    const std::vector<CacheScript> scripts{
        {.positions = 9, .batch = 3, .d_v = 3, .calls = calls},
        {.positions = 20, .window = 4, .batch = 2, .calls = {comes(3), comes(1), comes(1), comes(1)}},
        {.positions = 20, .window = 4, .batch = 3, .calls = calls}};
    for (const CacheScript& script : scripts)
        if (kept_lines(script, ways_of_the_step()) != expected_lines(script))
            return testing::AssertionFailure() << "this can be checked when the right rows are kept";
    return testing::AssertionSuccess();
}

std::vector<std::size_t> numbers(const Offset& offset) {
    std::vector<std::size_t> all;
    for (std::size_t row = 0; row < offset.rows(); ++row) all.push_back(offset[row]);
    return all;
}

TEST(key_value_cache, append_writes_in_place) {
    const NoGrad no_grad;
    for (const std::optional<std::size_t> window : {std::optional<std::size_t>(), {std::size_t{3}}}) {
        KeyValueCache cache(9, window);
        const Tensor x = normal({2, 3, 1, 4}, 5);
        (void)cache.append(0, {x, x});
        const std::size_t bytes = cache.bytes();
        const float *const keys = cache.layers[0].keys.data(), *const values = cache.layers[0].values.data();
        EXPECT_EQ(bytes, 2u * 2 * 3 * 4 * cache.capacity * sizeof(float))
            << "keys and values of 2 rows and 3 heads of 4, for the whole capacity";
        for (std::size_t t = 1; t < 9; ++t) {
            const KeysValues all = cache.append(0, {x, x});
            const bool moved = cache.layers[0].keys.data() != keys || cache.layers[0].values.data() != values;
            ASSERT_FALSE(moved) << "after append " << t + 1 << " the memory is another one"
                                << likely_if(
                                       true,
                                       "the memory is made anew for each token, and all that was kept is "
                                       "copied: there is room for all positions from the start; write "
                                       "into it");
            ASSERT_EQ(cache.bytes(), bytes)
                << "bytes after append " << t + 1
                << likely_if(cache.bytes() > bytes,
                             "the memory grows; there is room for all positions from the start");
            ASSERT_TRUE(all.keys.rows() && all.values.rows()) << "append returns the rows where they are";
            EXPECT_EQ(all.keys.rows()->first, keys);
            EXPECT_EQ(all.values.rows()->first, values);
        }
    }
}

TEST(key_value_cache, next_position_counts_what_is_forgotten_but_not_what_is_dropped) {
    using Counts = std::vector<std::size_t>;
    ASSERT_TRUE(the_right_rows_are_kept());
    KeyValueCache cache(20, 3);
    EXPECT_EQ(numbers(cache.next_position()), Counts{0});
    const Tensor x = normal({2, 1, 1, 4}, 5);
    for (std::size_t t = 0; t < 6; ++t) (void)cache.append(0, {x, x});
    EXPECT_EQ(numbers(cache.next_position()), (Counts{6, 6}));
    EXPECT_EQ(cache.layers[0].kept, (Counts{3, 3}));
    EXPECT_EQ(numbers(cache.lengths(0)), (Counts{2, 2}))
        << "of a full window the next position sees all but the oldest";
    cache.drop({2, 0});
    EXPECT_EQ(numbers(cache.next_position()), (Counts{4, 6}));
    cache.pick({1, 0, 0});
    EXPECT_EQ(numbers(cache.next_position()), (Counts{6, 4, 4}));
    EXPECT_EQ(numbers(cache.lengths(0)), (Counts{2, 1, 1}));
}

TEST(key_value_cache, two_caches_share_nothing) {
    ASSERT_TRUE(the_right_rows_are_kept());
    const NoGrad no_grad;
    KeyValueCache first(6), second(6);
    const Tensor x = normal({1, 2, 3, 4}, 5), y = normal({1, 2, 2, 4}, 6);
    (void)first.append(0, {x, x});
    (void)second.append(0, {y, y});
    EXPECT_EQ(numbers(second.lengths(0)), std::vector<std::size_t>{2});
    const KeysValues all = first.append(0, {y, y});
    EXPECT_TRUE(close(Tensor(all.keys), concat({x, y}, 2), {0, 0}));
}

TEST(key_value_cache, refuses_what_does_not_fit) {
    ASSERT_TRUE(the_right_rows_are_kept());
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
    EXPECT_EQ(numbers(cache.lengths(0)), (std::vector<std::size_t>{4, 4}))
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

const TokenIds long_text{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4};  // 24

TEST(key_value_cache, logits_of_a_text_in_parts_are_those_of_the_whole) {
    ASSERT_TRUE(the_right_rows_are_kept());
    const NoGrad no_grad;
    const auto check = [](const LanguageModel& model, const std::string& name) {
        const Tensor whole = logits_of(model, long_text);
        for (const auto& lengths : std::vector<std::vector<std::size_t>>{{1}, {5, 1}, {3, 4, 1, 2}, {24}}) {
            KeyValueCache cache(24);
            std::size_t begin = 0;
            for (std::size_t i = 0; begin < 24; ++i) {
                const std::size_t seq = std::min(lengths[std::min(i, lengths.size() - 1)], 24 - begin);
                const Tensor logits = cached_logits(model, {long_text}, begin, begin + seq, cache);
                ASSERT_TRUE(logits_agree(fmt::format("{}, positions {} to {}", name, begin, begin + seq - 1),
                                         logits, slice(whole, 0, begin, begin + seq)));
                begin += seq;
            }
        }
    };
    for (const NamedWriter& writer : named_writers()) check(language_model(writer.model), writer.name);
    const Transformer translator = made_translator();
    check(language_model(translator, Ids{{7, 2, 5, 9, 4}}), "encoder-decoder");
}

// A batch of prompts that are filled up, as `generate` reads them.
TEST(key_value_cache, logits_of_unequal_texts_in_a_batch_are_those_of_each_alone) {
    ASSERT_TRUE(the_right_rows_are_kept());
    const NoGrad no_grad;
    const std::vector<TokenIds> texts{
        {3, 1, 4, 1, 5, 9, 2, 6, 5}, {9, 2, 6, 5, 3, 5}, {2, 7, 1, 8, 2, 8, 1, 8}};
    const std::vector<std::size_t> prompts{5, 2, 4};
    for (const NamedWriter& writer : named_writers()) {
        const LanguageModel model = language_model(writer.model);
        KeyValueCache cache(9);
        std::vector<TokenIds> filled;
        for (std::size_t row = 0; row < 3; ++row) {
            filled.emplace_back(texts[row].begin(),
                                texts[row].begin() + static_cast<std::ptrdiff_t>(prompts[row]));
            filled.back().resize(5, 10);  // whatever stands there, it is dropped
        }
        (void)cached_logits(model, filled, 0, 5, cache);
        cache.drop({0, 3, 1});
        spoil_free_room(cache);
        std::vector<std::size_t> at = prompts;
        for (const std::size_t seq : {std::size_t{1}, std::size_t{2}, std::size_t{1}}) {
            std::vector<TokenIds> next;
            for (std::size_t row = 0; row < 3; ++row) {
                const auto first = texts[row].begin() + static_cast<std::ptrdiff_t>(at[row]);
                next.emplace_back(first, first + static_cast<std::ptrdiff_t>(seq));
                at[row] += seq;
            }
            const Tensor logits = cached_logits(model, next, 0, seq, cache);
            for (std::size_t row = 0; row < 3; ++row)
                ASSERT_TRUE(
                    logits_agree(fmt::format("{}, row {}, up to position {}", writer.name, row, at[row] - 1),
                                 slice(logits, 0, row, row + 1),
                                 slice(logits_of(model, texts[row]), 0, at[row] - seq, at[row])));
        }
    }
}

TEST(key_value_cache, logits_after_drop_and_pick_are_those_of_the_texts_that_stay) {
    ASSERT_TRUE(the_right_rows_are_kept());
    const NoGrad no_grad;
    for (const NamedWriter& writer : named_writers()) {
        const LanguageModel model = language_model(writer.model);
        const std::vector<TokenIds> begun{{3, 1, 4, 1}, {9, 2, 6, 5}, {2, 7, 1, 8}};
        KeyValueCache cache(12);
        (void)cached_logits(model, begun, 0, 4, cache);
        (void)cached_logits(model, {{7, 7}, {0, 10}, {5, 5}}, 0, 2, cache);  // guesses that are wrong
        cache.drop({2, 2, 2});
        cache.pick({2, 0, 2});
        spoil_free_room(cache);
        const std::vector<TokenIds> behind{{6, 4, 3}, {5, 9, 2}, {1, 0, 8}};
        const Tensor logits = cached_logits(model, behind, 0, 3, cache);
        for (std::size_t row = 0; row < 3; ++row) {
            TokenIds text = begun[row == 1 ? 0 : 2];
            text.insert(text.end(), behind[row].begin(), behind[row].end());
            ASSERT_TRUE(logits_agree(fmt::format("{}, row {}", writer.name, row),
                                     slice(logits, 0, row, row + 1), slice(logits_of(model, text), 0, 4, 7)));
        }
        cache.pick({1});
        const Tensor one = cached_logits(model, {{8}}, 0, 1, cache);
        ASSERT_TRUE(logits_agree(writer.name + ", one row of three", one,
                                 slice(logits_of(model, {3, 1, 4, 1, 5, 9, 2, 8}), 0, 7, 8)));
    }
}

// The blocks one by one with a mask of chapter 02; each layer sees a window of its own.
TEST(key_value_cache, logits_of_a_window_are_those_of_a_mask) {
    ASSERT_TRUE(the_right_rows_are_kept());
    const NoGrad no_grad;
    for (const NamedWriter& writer : named_writers())
        for (const std::size_t window : {std::size_t{1}, std::size_t{4}, std::size_t{23}}) {
            const Tensor whole = logits_in_window(writer.model, long_text, window);
            KeyValueCache cache(24, window);
            std::size_t begin = 0;
            for (const std::size_t prompt : {std::min<std::size_t>(window, 6), std::size_t{1}})
                for (std::size_t seq = prompt; begin < 24 && (begin == 0 || prompt == 1); begin += seq) {
                    const Tensor logits =
                        cached_logits(language_model(writer.model), {long_text}, begin, begin + seq, cache);
                    ASSERT_TRUE(
                        logits_agree(fmt::format("{}, window {}, position {}", writer.name, window, begin),
                                     logits, slice(whole, 0, begin, begin + seq)));
                }
        }
}

// Rows that keep 4, 1 and 3 positions of a window of 4: some forget and others don't, until all are full.
TEST(key_value_cache, logits_of_a_window_are_right_where_it_is_full_in_some_rows_only) {
    ASSERT_TRUE(the_right_rows_are_kept());
    const NoGrad no_grad;
    const std::vector<std::size_t> prompts{4, 1, 3};
    for (const NamedWriter& writer : named_writers()) {
        KeyValueCache cache(24, 4);
        std::vector<TokenIds> texts(3), filled(3);
        for (std::size_t row = 0; row < 3; ++row) {
            texts[row].assign(long_text.begin() + static_cast<std::ptrdiff_t>(row), long_text.end());
            filled[row].assign(texts[row].begin(), texts[row].begin() + 4);
        }
        (void)cached_logits(language_model(writer.model), filled, 0, 4, cache);
        cache.drop({0, 3, 1});
        for (std::size_t more = 0; more < 6; ++more) {
            std::vector<TokenIds> next;
            for (std::size_t row = 0; row < 3; ++row) next.push_back({texts[row][prompts[row] + more]});
            const Tensor logits = cached_logits(language_model(writer.model), next, 0, 1, cache);
            for (std::size_t row = 0; row < 3; ++row) {
                const std::size_t at = prompts[row] + more;
                ASSERT_TRUE(
                    logits_agree(fmt::format("{}, row {}, position {}", writer.name, row, at),
                                 slice(logits, 0, row, row + 1),
                                 slice(logits_in_window(writer.model, texts[row], 4), 0, at, at + 1)));
            }
        }
    }
}

}  // namespace
}  // namespace tfs::test
