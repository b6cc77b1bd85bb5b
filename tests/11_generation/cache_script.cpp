// tests/11_generation/cache_script.cpp · a cache is given marked numbers, and what it keeps is told in words
#include "tests/11_generation/cache_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "chapters/11_generation/given/cache_rows.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {

namespace {

using Lines = std::vector<std::string>;

struct Mark {
    bool value = false;
    std::size_t layer = 0, head = 0, row = 0, position = 0;
};

// All of it in a whole number below 2^24, which a float holds exactly; none is 0, and values are negative.
float number_of(const Mark& mark, std::size_t column) {
    const std::size_t place = ((mark.layer * 10 + mark.head) * 10 + mark.row) * 100 + mark.position;
    return static_cast<float>((place + 1) * 4 + column) * (mark.value ? -1.0f : 1.0f);
}

std::string name_of(std::size_t row, std::size_t position) {
    return fmt::format("{}{}", static_cast<char>('a' + row), position);
}

// These numbers, which should be a key, or value, of this layer and head.
std::string told(std::span<const float> numbers, const Mark& place) {
    if (std::isnan(numbers[0]) || numbers[0] == 0.0f) return "(nothing)";
    const std::size_t all = static_cast<std::size_t>(std::abs(numbers[0])) / 4 - 1;
    const Mark mark{numbers[0] < 0.0f, all / 10000, all / 1000 % 10, all / 100 % 10, all % 100};
    for (std::size_t column = 0; column < numbers.size(); ++column)
        if (numbers[column] != number_of(mark, column))
            return fmt::format("(a mixture: {})", fmt::join(numbers, ", "));
    std::string words = name_of(mark.row, mark.position);
    if (mark.value != place.value) words += mark.value ? " (a value)" : " (a key)";
    if (mark.layer != place.layer) words += fmt::format(" (of layer {})", mark.layer);
    if (mark.head != place.head) words += fmt::format(" (of head {})", mark.head);
    return words;
}

std::string line(const std::string& after, std::size_t layer, std::size_t row, std::size_t head,
                 std::size_t seen, const Lines& keys, const Lines& values) {
    return fmt::format("{}: layer {}, row {}, head {} keeps keys {} and values {}; seen {}", after, layer,
                       row, head, keys.empty() ? "(none)" : fmt::format("{}", fmt::join(keys, " ")),
                       values.empty() ? "(none)" : fmt::format("{}", fmt::join(values, " ")), seen);
}

// What a head of row b keeps as keys, or values.
Lines kept_by(const KeyValueCache& cache, std::size_t b, const Mark& place) {
    const CachedLayer& layer = cache.layers[place.layer];
    const std::vector<float>& memory = place.value ? layer.values : layer.keys;
    const std::size_t width = place.value ? layer.d_v : layer.d_k;
    Lines all;
    for (std::size_t r = 0; r < layer.kept[b] && r <= cache.capacity; ++r) {
        const std::size_t at = ((b * layer.heads + place.head) * cache.capacity + r) * width;
        if (r == cache.capacity)
            all.emplace_back("(beyond the room)");
        else if (at + width > memory.size())
            all.emplace_back("(no memory)");
        else
            all.push_back(told(std::span(memory).subspan(at, width), place));
    }
    return all;
}

// Returns whether each layer has counts for every row of the batch; else nothing more can be asked of this cache.
bool tell_all(const KeyValueCache& cache, std::size_t batch, const std::string& after, Lines& lines) {
    for (std::size_t layer = 0; layer < cache.layers.size(); ++layer) {
        const auto& [heads, d_k, d_v, keys, values, kept, seen] = cache.layers[layer];
        if (kept.size() != batch || seen.size() != batch) {
            lines.push_back(
                fmt::format("{}: layer {} has {} numbers in `kept` and {} in `seen`; the batch has {} rows",
                            after, layer, kept.size(), seen.size(), batch));
            return false;
        }
        for (std::size_t b = 0; b < batch; ++b)
            for (std::size_t h = 0; h < heads; ++h)
                lines.push_back(line(after, layer, b, h, seen[b], kept_by(cache, b, {false, layer, h}),
                                     kept_by(cache, b, {true, layer, h})));
    }
    return true;
}

Tensor marked(const CacheScript& script, Mark mark, std::size_t batch, std::size_t begin, std::size_t seq) {
    const std::size_t width = mark.value ? script.d_v : script.d_k;
    std::vector<float> numbers;
    for (mark.row = 0; mark.row < batch; ++mark.row)
        for (mark.head = 0; mark.head < script.heads; ++mark.head)
            for (mark.position = begin; mark.position < begin + seq; ++mark.position)
                for (std::size_t column = 0; column < width; ++column)
                    numbers.push_back(number_of(mark, column));
    return Tensor::from({batch, script.heads, seq, width}, numbers);
}

// As layer_for makes them, but with NaN.
KeyValueCache spoiled_cache(const CacheScript& script) {
    KeyValueCache cache(script.positions, script.window);
    const std::size_t rows = script.batch * script.heads * cache.capacity;
    const std::vector<std::size_t> none(script.batch, 0);
    for (std::size_t layer = 0; layer < script.layers; ++layer)
        cache.layers.push_back({script.heads, script.d_k, script.d_v, std::vector(rows * script.d_k, nan),
                                std::vector(rows * script.d_v, nan), none, none});
    return cache;
}

Lines kept_lines(const CacheScript& script) {
    KeyValueCache cache = spoiled_cache(script);
    Lines lines;
    std::size_t came = 0, batch = script.batch;
    for (std::size_t i = 0; i < script.calls.size(); ++i) {
        const auto& what = script.calls[i].what;
        const auto& numbers = script.calls[i].numbers;
        const Thrown thrown = thrown_by([&] {
            if (what == CacheCall::drop) cache.drop(numbers);
            if (what == CacheCall::pick) cache.pick(numbers);
            for (std::size_t layer = 0; what == CacheCall::append && layer < script.layers; ++layer)
                (void)cache.append(layer, {marked(script, {false, layer}, batch, came, numbers[0]),
                                           marked(script, {true, layer}, batch, came, numbers[0])});
        });
        const std::string after = call_in_words(script, i);
        if (!thrown.type.empty()) lines.push_back(fmt::format("{}: an error: {}", after, thrown.sentence));
        if (what == CacheCall::append) came += numbers[0];
        if (what == CacheCall::pick && thrown.type.empty()) batch = numbers.size();
        spoil_free_room(cache);
        if (!tell_all(cache, batch, after, lines) || !thrown.type.empty()) return lines;
    }
    return lines;
}

Lines expected_lines(const CacheScript& script) {
    struct Row {
        Lines kept = {};
        std::size_t seen = 0;
    };
    std::vector<Row> rows(script.batch);
    Lines lines;
    std::size_t came = 0;
    for (std::size_t i = 0; i < script.calls.size(); ++i) {
        const auto& [what, numbers] = script.calls[i];
        if (what == CacheCall::pick) rows = picked(rows, numbers, 1);
        for (std::size_t b = 0; b < rows.size(); ++b) {
            auto& [kept, seen] = rows[b];
            if (what == CacheCall::drop) {
                kept.resize(kept.size() - numbers[b]);
                seen -= numbers[b];
            }
            for (std::size_t t = 0; what == CacheCall::append && t < numbers[0]; ++t, ++seen) {
                if (kept.size() == script.window) kept.erase(kept.begin());
                kept.push_back(name_of(b, came + t));
            }
        }
        if (what == CacheCall::append) came += numbers[0];
        for (std::size_t layer = 0; layer < script.layers; ++layer)
            for (std::size_t b = 0; b < rows.size(); ++b)
                for (std::size_t h = 0; h < script.heads; ++h)
                    lines.push_back(line(call_in_words(script, i), layer, b, h, rows[b].seen, rows[b].kept,
                                         rows[b].kept));
    }
    return lines;
}

}  // namespace

std::string call_in_words(const CacheScript& script, std::size_t i) {
    const auto& [what, numbers] = script.calls[i];
    if (what == CacheCall::append) return fmt::format("call {}, append of {}", i + 1, numbers[0]);
    return fmt::format("call {}, {}({})", i + 1, what == CacheCall::drop ? "drop" : "pick",
                       fmt::join(numbers, ", "));
}

void spoil_free_room(KeyValueCache& cache) {
    const auto spoil = [&](std::vector<float>& memory, const CachedLayer& layer, std::size_t width) {
        const std::size_t room = cache.capacity * width;  // of a head
        if (memory.size() != layer.kept.size() * layer.heads * room) return;
        for (std::size_t i = 0; i < memory.size(); ++i)
            if (i % room / width >= layer.kept[i / room / layer.heads]) memory[i] = nan;
    };
    for (CachedLayer& layer : cache.layers) {
        spoil(layer.keys, layer, layer.d_k);
        spoil(layer.values, layer, layer.d_v);
    }
}

testing::AssertionResult keeps_the_right_rows(const CacheScript& script) {
    const Lines found = kept_lines(script), expected = expected_lines(script);
    if (found == expected) return testing::AssertionSuccess();
    const auto [wrong, right] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
    return testing::AssertionFailure()
           << "got\n    " << (wrong == found.end() ? "nothing more" : *wrong) << "\nexpected\n    "
           << (right == expected.end() ? "nothing more" : *right)
           << came(fmt::format("{}", fmt::join(found, "\n")));
}

}  // namespace tfs::test
