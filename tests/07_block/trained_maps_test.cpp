// tests/07_block/trained_maps_test.cpp · what the lesson says of the maps of trained blocks
#include <algorithm>

#include "chapters/07_block/models/it_maps.hpp"
#include "common/program/weights.hpp"
#include "common/text/words.hpp"
#include "tests/07_block/checklist.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

ItMaps maps_of(const std::string& text) {
    return it_maps(load_network<ItReader>(weights_file("it"), it_reader_kind()), split_words(text));
}

TEST(it_maps, the_second_trained_block_finds_what_the_first_one_prepared) {
    const ItMaps hungry = maps_of("the dog chased the cat because it was hungry");
    const ItMaps weak = maps_of("the dog chased the cat because it was weak");
    for (const ItMaps& maps : {hungry, weak}) {
        EXPECT_EQ(maps.word(0), "chased");
        EXPECT_GT(maps.weight(0), 0.99f);
    }
    EXPECT_EQ(hungry.word(1), "dog");
    EXPECT_EQ(weak.word(1), "cat");
    EXPECT_GT(std::min(hungry.weight(1), weak.weight(1)), 0.99f);
}

TEST(it_maps, say_who_chases_in_the_passive_voice) {
    const ItMaps maps = maps_of("the dog was chased by the cat because it was hungry");
    EXPECT_EQ(maps.word(1), "cat") << "who chases is hungry";
}

TEST(it_maps, trained_blocks_refuse_what_they_dont_know) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)maps_of("the cat sat"); }, {"\"sat\""}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)maps_of("the dog"); }, {"\"it\""}));
}

}  // namespace
}  // namespace tfs::test
