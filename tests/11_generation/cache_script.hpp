// tests/11_generation/cache_script.hpp · a cache is given marked numbers, and what it keeps is told in words
//
// Every number says what it is: a key or a value, of which layer and head, of which row of the batch, and the how manieth position.
// So a line of a report can say that the key a0 stands where b3 belongs. Memory that nothing was written to holds NaN.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chapters/11_generation/generation.hpp"
#include "tests/support/close.hpp"

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

// "call 2, append of 3", which is calls[1].
std::string call_in_words(const CacheScript& script, std::size_t i);

// Whether a cache of the step keeps after every call what plain lists of positions keep. A failure tells the first place that
// differs.
testing::AssertionResult keeps_the_right_rows(const CacheScript& script);

// Writes NaN into the memory behind the rows that each layer keeps.
void spoil_free_room(KeyValueCache& cache);

}  // namespace tfs::test
