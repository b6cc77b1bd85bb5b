// tests/11_generation/cache_script.cpp · a cache is given marked numbers, and what it keeps is told in words
#include "tests/11_generation/cache_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "chapters/11_generation/given/generation_checks.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {

namespace {

struct Mark {
    bool value = false;
    std::size_t layer = 0, head = 0, row = 0, position = 0;
    bool operator==(const Mark&) const = default;
};

// All of it in one whole number below 2^17, which a float holds exactly.
float number_of(const Mark& mark, std::size_t column) {
    const std::size_t place = ((mark.value * 8 + mark.layer) * 8 + mark.head) * 8 + mark.row;
    return static_cast<float>((place * 64 + mark.position) * 4 + column);
}

Mark mark_of(float number) {
    const auto all = static_cast<std::size_t>(number) / 4;
    return {all >= 64 * 512, all / (64 * 64) % 8, all / (64 * 8) % 8, all / 64 % 8, all % 64};
}

std::string name_of(const Mark& mark) {
    return fmt::format("{}{}", static_cast<char>('a' + mark.row), mark.position);
}

// The row of `width` numbers at `at`, which should hold a key, or value, of this layer and head.
std::string told(const std::vector<float>& memory, std::size_t at, std::size_t width, const Mark& place) {
    if (at + width > memory.size()) return "(no memory)";
    if (std::isnan(memory[at])) return "(nothing)";
    const Mark mark = mark_of(memory[at]);
    for (std::size_t column = 0; column < width; ++column)
        if (memory[at + column] != number_of(mark, column)) return "(mixed)";
    std::string words = name_of(mark);
    if (mark.value != place.value) words += mark.value ? " (a value)" : " (a key)";
    if (mark.layer != place.layer) words += fmt::format(" (of layer {})", mark.layer);
    if (mark.head != place.head) words += fmt::format(" (of head {})", mark.head);
    return words;
}

std::string call_in_words(const CacheCall& call) {
    if (call.what == CacheCall::append) return fmt::format("append of {}", call.numbers[0]);
    return fmt::format("{}({})", call.what == CacheCall::drop ? "drop" : "pick",
                       fmt::join(call.numbers, ", "));
}

std::string line(const std::string& after, std::size_t layer, std::size_t row, std::size_t head,
                 std::size_t seen, const std::vector<std::string>& keys,
                 const std::vector<std::string>& values) {
    return fmt::format("{}: layer {}, row {}, head {} keeps keys {} and values {}; seen {}", after, layer,
                       row, head, keys.empty() ? "(none)" : fmt::format("{}", fmt::join(keys, " ")),
                       values.empty() ? "(none)" : fmt::format("{}", fmt::join(values, " ")), seen);
}

std::string after_call(const CacheScript& script, std::size_t i) {
    return fmt::format("call {}, {}", i + 1, call_in_words(script.calls[i]));
}

Tensor marked(const CacheScript& script, bool value, std::size_t layer, std::size_t batch, std::size_t begin,
              std::size_t seq) {
    const std::size_t width = value ? script.d_v : script.d_k;
    std::vector<float> numbers;
    for (std::size_t b = 0; b < batch; ++b)
        for (std::size_t h = 0; h < script.heads; ++h)
            for (std::size_t t = 0; t < seq; ++t)
                for (std::size_t column = 0; column < width; ++column)
                    numbers.push_back(number_of({value, layer, h, b, begin + t}, column));
    return Tensor::from({batch, script.heads, seq, width}, numbers);
}

// As layer_for makes them, but with NaN.
KeyValueCache spoiled_cache(const CacheScript& script) {
    KeyValueCache cache(script.positions, script.window);
    const std::size_t rows = script.batch * script.heads * cache.capacity;
    for (std::size_t layer = 0; layer < script.layers; ++layer)
        cache.layers.push_back({script.heads, script.d_k, script.d_v, std::vector(rows * script.d_k, nan),
                                std::vector(rows * script.d_v, nan),
                                std::vector<std::size_t>(script.batch, 0),
                                std::vector<std::size_t>(script.batch, 0)});
    return cache;
}

// Returns whether each layer has counts for every row of the batch; else nothing more can be asked of this cache.
bool tell_all(const KeyValueCache& cache, std::size_t batch, const std::string& after, Lines& lines) {
    for (std::size_t layer = 0; layer < cache.layers.size(); ++layer) {
        const CachedLayer& cached = cache.layers[layer];
        if (cached.kept.size() != batch || cached.seen.size() != batch) {
            lines.push_back(
                fmt::format("{}: layer {} has {} numbers in `kept` and {} in `seen`; the batch has {} rows",
                            after, layer, cached.kept.size(), cached.seen.size(), batch));
            return false;
        }
        for (std::size_t b = 0; b < cached.kept.size(); ++b)
            for (std::size_t h = 0; h < cached.heads; ++h) {
                std::vector<std::string> keys, values;
                for (std::size_t r = 0; r < std::min(cached.kept[b], cache.capacity + 1); ++r) {
                    const std::size_t at = (b * cached.heads + h) * cache.capacity + r;
                    const bool inside = r < cache.capacity;
                    keys.push_back(inside ? told(cached.keys, at * cached.d_k, cached.d_k, {false, layer, h})
                                          : "(beyond the room)");
                    values.push_back(inside
                                         ? told(cached.values, at * cached.d_v, cached.d_v, {true, layer, h})
                                         : "(beyond the room)");
                }
                lines.push_back(line(after, layer, b, h, cached.seen[b], keys, values));
            }
    }
    return true;
}

}  // namespace

CacheWays ways_of_the_step() {
    return {.append = [](KeyValueCache& cache, std::size_t layer,
                         const KeysValues& own) { return cache.append(layer, own); },
            .drop = [](KeyValueCache& cache, const auto& newest) { cache.drop(newest); },
            .pick = [](KeyValueCache& cache, const auto& rows) { cache.pick(rows); }};
}

void spoil_free_room(KeyValueCache& cache) {
    for (CachedLayer& layer : cache.layers)
        for (const bool value : {false, true}) {
            std::vector<float>& memory = value ? layer.values : layer.keys;
            const std::size_t width = value ? layer.d_v : layer.d_k, room = cache.capacity;
            if (memory.size() != layer.kept.size() * layer.heads * room * width) continue;
            for (std::size_t i = 0; i < layer.kept.size() * layer.heads; ++i) {
                float* const head = memory.data() + i * room * width;
                std::fill(head + std::min(layer.kept[i / layer.heads], room) * width, head + room * width,
                          nan);
            }
        }
}

Lines kept_lines(const CacheScript& script, const CacheWays& ways) {
    KeyValueCache cache = spoiled_cache(script);
    Lines lines;
    std::size_t came = 0, batch = script.batch;
    for (std::size_t i = 0; i < script.calls.size(); ++i) {
        const auto& [what, numbers] = script.calls[i];
        try {
            if (what == CacheCall::append) {
                for (std::size_t layer = 0; layer < script.layers; ++layer)
                    (void)ways.append(cache, layer,
                                      {marked(script, false, layer, batch, came, numbers[0]),
                                       marked(script, true, layer, batch, came, numbers[0])});
                came += numbers[0];
            } else if (what == CacheCall::drop) {
                require_drop(cache, numbers);
                ways.drop(cache, numbers);
            } else {
                require_pick(cache, numbers);
                ways.pick(cache, numbers);
                batch = numbers.size();
            }
        } catch (const NotImplemented&) {
            throw;
        } catch (const Error& error) {
            lines.push_back(fmt::format("{}: an error: {}", after_call(script, i), error.what()));
            (void)tell_all(cache, batch, after_call(script, i), lines);  // two wrong ways may throw the same
            return lines;
        }
        spoil_free_room(cache);
        if (!tell_all(cache, batch, after_call(script, i), lines)) return lines;
    }
    return lines;
}

Lines expected_lines(const CacheScript& script) {
    struct Row {
        std::vector<std::string> kept = {};
        std::size_t seen = 0;
    };
    std::vector<Row> rows(script.batch);
    Lines lines;
    std::size_t came = 0;
    for (std::size_t i = 0; i < script.calls.size(); ++i) {
        const auto& [what, numbers] = script.calls[i];
        if (what == CacheCall::pick) {
            const std::vector<Row> before = rows;
            rows.clear();
            for (const std::size_t row : numbers) rows.push_back(before[row]);
        }
        for (std::size_t b = 0; b < rows.size(); ++b) {
            auto& [kept, seen] = rows[b];
            if (what == CacheCall::drop) {
                kept.resize(kept.size() - numbers[b]);
                seen -= numbers[b];
            }
            for (std::size_t t = 0; what == CacheCall::append && t < numbers[0]; ++t, ++seen) {
                if (kept.size() == script.window) kept.erase(kept.begin());
                kept.push_back(name_of({.row = b, .position = came + t}));
            }
        }
        if (what == CacheCall::append) came += numbers[0];
        for (std::size_t layer = 0; layer < script.layers; ++layer)
            for (std::size_t b = 0; b < rows.size(); ++b)
                for (std::size_t h = 0; h < script.heads; ++h)
                    lines.push_back(
                        line(after_call(script, i), layer, b, h, rows[b].seen, rows[b].kept, rows[b].kept));
    }
    return lines;
}

}  // namespace tfs::test
