// tests/13_long_inputs/hidden_tiles_test.cpp · step hidden_tiles: what a block of queries sees of a tile
#include <fmt/format.h>

#include "chapters/13_long_inputs/models/long_attention.hpp"
#include "tests/13_long_inputs/checklist.hpp"

namespace tfs::test {
namespace {

std::string in_words(Sees sees) {
    return sees == Sees::nothing ? "nothing" : sees == Sees::some ? "some" : "all";
}

// Every query and every key, looked at.
Sees looked_at(std::span<const KeySpan> visible, Range keys) {
    bool some = false, all = true;
    for (const auto& [begin, end] : visible)
        for (std::size_t j = keys.begin; j < keys.end; ++j) {
            const bool sees = begin <= j && j < end;
            some = some || sees;
            all = all && sees;
        }
    return all ? Sees::all : some ? Sees::some : Sees::nothing;
}

void expect_tiles(const std::string& name, const Visible& visible, std::size_t keys) {
    const std::span<const KeySpan> all = visible;
    for (const std::size_t rows : {1U, 4U, 6U})
        for (std::size_t begin = 0; begin + rows <= visible.size(); begin += rows)
            for (const Range tile : pieces_of(keys, 4)) {
                const auto block = all.subspan(begin, rows);
                EXPECT_EQ(in_words(tile_sees(block, tile)), in_words(looked_at(block, tile)))
                    << name << ": what the queries " << begin << " to " << begin + rows - 1
                    << " see of the keys " << tile.begin << " to " << tile.end - 1;
            }
}

TEST(hidden_tiles, nothing_hidden) { expect_tiles("nothing hidden", sees_all(12, 14), 14); }

TEST(hidden_tiles, causal) { expect_tiles("causal", sees_earlier(24), 24); }

TEST(hidden_tiles, window) {
    for (const std::size_t window : {1U, 4U, 5U, 9U})
        expect_tiles(fmt::format("window of {}", window), sees_window(24, window), 24);
}

TEST(hidden_tiles, prefix) { expect_tiles("prefix of 10", sees_prefix(24, 10), 24); }

TEST(hidden_tiles, documents) {
    expect_tiles("documents of 3, 8, 1 and 12", sees_documents({3, 8, 1, 12}), 24);
}

// An empty run, wherever it is said to begin, sees nothing.
TEST(hidden_tiles, queries_that_see_nothing) {
    Visible visible = sees_all(12, 12);
    visible[2] = visible[5] = {0, 0};
    for (std::size_t i = 6; i < 12; ++i) visible[i] = {i % 8, i % 8};
    expect_tiles("some queries see nothing", visible, 12);
}

// Between two runs there may be tiles that nobody sees.
TEST(hidden_tiles, runs_that_are_far_apart) {
    expect_tiles("two groups of queries", {{0, 3}, {9, 12}, {0, 4}, {8, 12}, {0, 8}, {4, 12}}, 12);
}

}  // namespace
}  // namespace tfs::test
