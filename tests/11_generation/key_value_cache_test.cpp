// tests/11_generation/key_value_cache_test.cpp · step key_value_cache: what is kept after each call, and where
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "chapters/11_generation/given/generation.hpp"
#include "tests/11_generation/checklist.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

using Counts = std::vector<std::size_t>;

struct CacheCall {
    std::string what;
    Counts numbers;  // of append: how many positions come; else the argument
};
CacheCall comes(std::size_t seq) { return {"append", {seq}}; }
CacheCall drops(const Counts& newest) { return {"drop", newest}; }
CacheCall picks(const Counts& rows) { return {"pick", rows}; }

constexpr std::size_t cached_layers = 3, cached_heads = 2, key_width = 2, value_width = 3;

// Every number says what it is: 10203.1 is of layer 1 and head 0, of place 203, in its first column; values are negative. Place 203 is
// what came to row 2 as position 3.
std::vector<float> numbers_of(std::size_t layer, std::size_t head, const Counts& places, bool value) {
    std::vector<float> numbers;
    for (const std::size_t place : places)
        for (std::size_t column = 1; column <= (value ? value_width : key_width); ++column)
            numbers.push_back((static_cast<float>(layer * 10000 + head * 1000 + place) +
                               0.1f * static_cast<float>(column)) *
                              (value ? -1.0f : 1.0f));
    return numbers;
}

// What each row should keep, in each layer.
struct Row {
    Counts kept = {};  // places
    std::size_t seen = 0;
};

// Lines about each head: what the cache keeps, and what it must keep.
void tell(const std::string& after, const KeyValueCache& cache, const std::vector<Row>& rows, Story& found,
          Story& expected) {
    const auto line = [&](std::size_t i, std::size_t kept, std::size_t seen, const std::vector<float>& keys,
                          const std::vector<float>& values) {
        return fmt::format("{}: layer {}, row {}, head {} keeps {} of {}: keys {:.1f}, values {:.1f}", after,
                           i / cached_heads / rows.size(), i / cached_heads % rows.size(), i % cached_heads,
                           kept, seen, fmt::join(keys, " "), fmt::join(values, " "));
    };
    for (std::size_t i = 0; i < cached_layers * rows.size() * cached_heads; ++i) {
        const std::size_t layer = i / cached_heads / rows.size(), b = i / cached_heads % rows.size(),
                          head = i % cached_heads;
        const auto& [kept, seen] = rows[b];
        expected.push_back(line(i, kept.size(), seen, numbers_of(layer, head, kept, false),
                                numbers_of(layer, head, kept, true)));
        if (layer >= cache.layers.size()) continue;
        const CachedLayer& is = cache.layers[layer];
        if (is.kept.size() <= b || is.seen.size() <= b) continue;
        const auto memory = [&](const std::vector<float>& all, std::size_t width) {
            const std::size_t begin = (b * cached_heads + head) * cache.capacity * width,
                              end = begin + std::min(is.kept[b], cache.capacity) * width;
            return std::vector<float>(all.data() + std::min(begin, all.size()),
                                      all.data() + std::min(end, all.size()));
        };
        found.push_back(
            line(i, is.kept[b], is.seen[b], memory(is.keys, key_width), memory(is.values, value_width)));
    }
}

// Whether a cache with room for so many positions keeps after every call what plain lists keep.
testing::AssertionResult keeps_the_right_rows(std::size_t positions, std::optional<std::size_t> window,
                                              std::size_t batch, const std::vector<CacheCall>& calls) {
    KeyValueCache cache(positions, window);
    std::vector<Row> rows(batch);
    Story found, expected;
    std::size_t time = 0;
    for (const CacheCall& call : calls) {
        const std::size_t seq = call.what == "append" ? call.numbers[0] : 0;
        const auto own = [&](std::size_t layer, bool value) {
            std::vector<float> all;
            for (std::size_t i = 0; i < rows.size() * cached_heads; ++i)
                for (std::size_t t = time; t < time + seq; ++t)
                    for (const float number :
                         numbers_of(layer, i % cached_heads, {100 * (i / cached_heads) + t}, value))
                        all.push_back(number);
            return Tensor::from({rows.size(), cached_heads, seq, value ? value_width : key_width}, all);
        };
        const std::string after = fmt::format("{}({})", call.what, fmt::join(call.numbers, ", "));
        const Thrown thrown = thrown_by([&] {
            if (call.what == "drop") cache.drop(call.numbers);
            if (call.what == "pick") cache.pick(call.numbers);
            for (std::size_t layer = 0; seq > 0 && layer < cached_layers; ++layer)
                (void)cache.append(layer, {own(layer, false), own(layer, true)});
        });
        if (call.what == "pick") rows = picked(rows, call.numbers, 1);
        for (std::size_t b = 0; b < rows.size(); ++b) {
            auto& [kept, seen] = rows[b];
            if (call.what == "drop") kept.resize(kept.size() - call.numbers[b]), seen -= call.numbers[b];
            for (std::size_t t = time; t < time + seq; ++t, ++seen) {
                if (kept.size() == window) kept.erase(kept.begin());
                kept.push_back(100 * b + t);
            }
        }
        time += seq;
        if (!thrown.type.empty()) found.push_back(fmt::format("{}: an error: {}", after, thrown.sentence));
        tell(after, cache, rows, found, expected);
        if (!thrown.type.empty()) break;
    }
    return is_told(found, expected)
           << "\n(10203.1: layer 1, head 0, row 2, position 3, its first number; a value is negative)";
}

TEST(key_value_cache, keeps_what_came_in_its_order) {
    EXPECT_TRUE(keeps_the_right_rows(20, {}, 1, {comes(3), comes(1), comes(1), comes(2), comes(1)}));
}

TEST(key_value_cache, rows_of_the_batch_have_lengths_of_their_own) {
    EXPECT_TRUE(keeps_the_right_rows(16, {}, 3, {comes(4), comes(1), comes(2)}));
    EXPECT_TRUE(keeps_the_right_rows(16, {}, 3, {comes(5), drops({0, 3, 1}), comes(1), comes(2)}));
}

TEST(key_value_cache, drops_the_newest) {
    EXPECT_TRUE(
        keeps_the_right_rows(16, {}, 1, {comes(5), drops({2}), comes(1), drops({0}), drops({4}), comes(2)}));
    EXPECT_TRUE(keeps_the_right_rows(16, {}, 3, {comes(4), drops({1, 0, 4}), comes(2), drops({2, 1, 0})}));
}

TEST(key_value_cache, picks_rows_in_any_order_and_number) {
    EXPECT_TRUE(keeps_the_right_rows(9, {}, 3, {comes(4), drops({0, 2, 1}), picks({2, 0, 1}), comes(1)}));
    EXPECT_TRUE(keeps_the_right_rows(16, {}, 3,
                                     {comes(3), drops({1, 0, 2}), picks({2, 0, 2, 2}), comes(1), picks({1}),
                                      comes(2), picks({0, 0}), comes(1)}));
}

TEST(key_value_cache, a_window_forgets_the_oldest) {
    EXPECT_TRUE(keeps_the_right_rows(20, 4, 1, {comes(2), comes(1), comes(1), comes(1), comes(1), comes(1)}));
    EXPECT_TRUE(keeps_the_right_rows(20, 4, 2, {comes(4), comes(1), comes(1)}));
    EXPECT_TRUE(keeps_the_right_rows(20, 1, 1, {comes(1), comes(1), comes(1)}));
}

TEST(key_value_cache, a_window_may_be_full_in_some_rows_only) {
    EXPECT_TRUE(keeps_the_right_rows(
        20, 4, 3, {comes(4), drops({0, 3, 1}), comes(1), comes(1), picks({1, 2, 1}), comes(1), comes(1)}));
    EXPECT_TRUE(keeps_the_right_rows(
        20, 4, 2,
        {comes(4), comes(1), comes(1), drops({2, 0}), comes(1), comes(1), drops({0, 1}), comes(1)}));
}

TEST(key_value_cache, append_writes_in_place) {
    const NoGrad no_grad;
    for (const std::optional<std::size_t> window : {std::optional<std::size_t>(), {3}}) {
        KeyValueCache cache(9, window);
        const Tensor x = normal({2, 3, 1, 4}, 5);
        (void)cache.append(0, {x, x});
        const float *const keys = cache.layers[0].keys.data(), *const values = cache.layers[0].values.data();
        std::size_t elsewhere = 0;
        for (std::size_t t = 1; t < 9; ++t) {
            (void)cache.append(0, {x, x});
            elsewhere += cache.layers[0].keys.data() != keys || cache.layers[0].values.data() != values;
        }
        EXPECT_EQ(elsewhere, 0u) << "appends behind which keys or values are elsewhere in memory";
    }
}

}  // namespace
}  // namespace tfs::test
