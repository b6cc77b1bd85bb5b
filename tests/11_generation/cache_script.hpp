// tests/11_generation/cache_script.hpp · a cache is given marked numbers, and what it keeps is told in words
//
// Every number says what it is: a key or a value, of which layer and head, of which row of the batch, and the how manieth position.
// So a line of a report can say that the key a0 stands where b3 belongs. Memory that nothing was written to holds NaN.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "chapters/11_generation/generation.hpp"

namespace tfs::test {

// The rows of the batch have the names a, b, c … when positions are appended: b3 is the fourth position that came, in row 1.
struct CacheCall {
    enum What { append, drop, pick } what;
    std::vector<std::size_t> numbers;  // append: how many positions, to each layer; else the argument
};

// Capacity, window and sizes of a cache, and what is done with it.
struct CacheScript {
    std::size_t positions;
    std::optional<std::size_t> window = std::nullopt;
    std::size_t batch = 1, heads = 2, d_k = 2, d_v = 2, layers = 2;
    std::vector<CacheCall> calls = {};
};

// How a cache does it. The defaults call the learner's.
struct CacheWays {
    std::function<KeysValues(KeyValueCache&, std::size_t layer, const KeysValues& own)> append;
    std::function<void(KeyValueCache&, const std::vector<std::size_t>&)> drop, pick;
};
CacheWays ways_of_the_step();

// One line for each call, layer, row of the batch and head; the last one is an error, where one came.
using Lines = std::vector<std::string>;
Lines kept_lines(const CacheScript& script, const CacheWays& ways);
// The same from plain lists of positions.
Lines expected_lines(const CacheScript& script);

// Writes NaN into the memory behind the rows that each layer keeps.
void spoil_free_room(KeyValueCache& cache);

}  // namespace tfs::test
