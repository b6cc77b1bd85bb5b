// tests/11_generation/cache_suspects.cpp · what a cache keeps, and what it does wrong
#include "tests/11_generation/cache_suspects.hpp"

#include <algorithm>

#include "chapters/11_generation/given/cache_rows.hpp"
#include "tests/11_generation/wrong_caches.hpp"

namespace tfs::test {

namespace {

const WrongCaches& wrong_caches() {
    static const WrongCaches all = [] {
        WrongCaches made;
        for (const auto add : {add_wrong_appends, add_wrong_windows, add_wrong_drops, add_wrong_picks})
            add(made);
        return made;
    }();
    return all;
}

}  // namespace

CacheWays right_ways() {
    return {.append =
                [](KeyValueCache& cache, std::size_t number, const KeysValues& own) {
                    const Tensor keys = own.keys, values = own.values;
                    CachedLayer& layer = layer_for(cache, number, keys, values);
                    const std::size_t seq = keys.size(2);
                    for (std::size_t b = 0; b < layer.kept.size(); ++b) {
                        const std::size_t all = layer.kept[b] + seq;
                        if (all > cache.capacity)
                            forget_oldest(layer, cache.capacity, b, all - cache.capacity);
                        write_rows(layer.keys, cache.capacity, keys, b, layer.kept[b]);
                        write_rows(layer.values, cache.capacity, values, b, layer.kept[b]);
                        layer.kept[b] += seq;
                        layer.seen[b] += seq;
                    }
                    return rows_of(cache, layer);
                },
            .drop =
                [](KeyValueCache& cache, const auto& newest) {
                    for (CachedLayer& layer : cache.layers)
                        for (std::size_t b = 0; b < newest.size(); ++b) {
                            layer.kept[b] -= newest[b];
                            layer.seen[b] -= newest[b];
                        }
                },
            .pick =
                [](KeyValueCache& cache, const auto& rows) {
                    for (CachedLayer& layer : cache.layers) {
                        layer.keys = picked(layer.keys, rows, layer.heads * cache.capacity * layer.d_k);
                        layer.values = picked(layer.values, rows, layer.heads * cache.capacity * layer.d_v);
                        layer.kept = picked(layer.kept, rows, 1);
                        layer.seen = picked(layer.seen, rows, 1);
                    }
                }};
}

namespace {

// What is done wrong in this script; empty where it is not known. Of two wrong ways that keep the same, the one that also keeps what is
// kept in another script. With a window of 1 too many ways are the same.
std::string cause_of_script(const CacheScript& script, const Lines& found) {
    if (script.window == 1u) return {};
    const CacheScript other{.positions = 20,
                            .window = 4,
                            .batch = 3,
                            .d_v = 3,
                            .calls = {{CacheCall::append, {4}},
                                      {CacheCall::drop, {0, 2, 1}},
                                      {CacheCall::append, {1}},
                                      {CacheCall::append, {1}},
                                      {CacheCall::pick, {2, 0, 2}},
                                      {CacheCall::append, {1}}}};
    const Lines of_other = kept_lines(other, ways_of_the_step());
    std::string first;
    for (const WrongCache& suspect : wrong_caches()) {
        if (kept_lines(script, suspect.ways) != found) continue;
        if (kept_lines(other, suspect.ways) == of_other) return suspect.message;
        if (first.empty()) first = suspect.message;
    }
    return first;
}

}  // namespace

testing::AssertionResult keeps_the_right_rows(const CacheScript& script) {
    const Lines found = kept_lines(script, ways_of_the_step()), expected = expected_lines(script);
    note_came(found.empty() ? "" : found.back());
    if (found == expected) return testing::AssertionSuccess();
    const auto [wrong, right] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
    auto failure = testing::AssertionFailure()
                   << "got\n    " << (wrong == found.end() ? "nothing more" : *wrong) << "\nexpected\n    "
                   << (right == expected.end() ? "nothing more" : *right);
    const std::string cause = cause_of_script(script, found);
    return failure << likely_if(!cause.empty(), cause);
}

}  // namespace tfs::test
