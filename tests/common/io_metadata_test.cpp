// tests/common/io_metadata_test.cpp · the metadata of a weight file, read with distrust
#include "common/io/safetensors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

MetadataReader reader_of(const Metadata& metadata) { return {{{}, metadata}, "a file", "not a cat"}; }

TEST(metadata, reads_texts_counts_and_numbers) {
    const MetadataReader reader =
        reader_of({{"name", "Tom"}, {"lives", "9"}, {"none", "0"}, {"weight", "4.5e0"}, {"loss", "inf"}});
    EXPECT_EQ(reader.text("name"), "Tom");
    EXPECT_EQ(reader.count("lives", 1, 9), 9U);
    EXPECT_EQ(reader.count("none"), 0U);
    EXPECT_EQ(reader.real("weight"), 4.5);
    EXPECT_EQ(reader.real("loss"), INFINITY);
}

TEST(metadata, names_the_file_and_the_entry_that_is_missing_or_malformed) {
    EXPECT_TRUE(refuses<FileError>([] { (void)reader_of({}).text("name"); },
                                   {"a file: not a cat, whose metadata has \"name\""}));
    for (const char* text :
         {"", "-1", "+1", " 1", "1 ", "01", "1.0", "1e1", "x", "99999999999999999999", "10"})
        EXPECT_TRUE(refuses<FileError>(
            [&] {
                (void)reader_of({{"lives", text}}).count("lives", 1, 9);
            },
            {"a file: not a cat: \"lives\" is no small whole number"}))
            << text;
    EXPECT_TRUE(refuses<FileError>(
        [] {
            (void)reader_of({{"lives", "0"}}).count("lives", 1, 9);
        },
        {"lives"}));
    for (const char* text : {"", "low", "1.5 kg", " 1"})
        EXPECT_TRUE(refuses<FileError>(
            [&] {
                (void)reader_of({{"weight", text}}).real("weight");
            },
            {"\"weight\" is no number"}))
            << text;
}

}  // namespace
}  // namespace tfs::test
