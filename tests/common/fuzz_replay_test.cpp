// tests/common/fuzz_replay_test.cpp · the corpus of tests/fuzz and changes of it, the same ones in each run
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "common/base/rng.hpp"
#include "common/io/atomic_file.hpp"
#include "common/terminal/display.hpp"
#include "tests/fuzz/text_properties.hpp"
#include "tests/fuzz/weight_file_properties.hpp"

namespace tfs::test {
namespace {

struct CorpusFile {
    std::string name, bytes;
};

// In the order of the names, because that of a folder differs between machines.
std::vector<CorpusFile> corpus_of(const std::string& subject) {
    std::vector<CorpusFile> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(TFS_SOURCE_DIR "/tests/fuzz/corpus/" + subject))
        files.push_back({entry.path().filename().string(), read_file(entry.path())});
    std::sort(files.begin(), files.end(),
              [](const CorpusFile& a, const CorpusFile& b) { return a.name < b.name; });
    EXPECT_FALSE(files.empty()) << subject;
    return files;
}

// What tends to break readers: of JSON and numbers, and of text.
const std::vector<std::string>& pieces() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> found{std::string(1, '\0'), " ", "\t", "\n"};
        std::istringstream others(
            "{ } [ ] , \" \\u0000 -1 1e3 0 2 18446744073709551615 4611686018427387904 null "
            "\"__metadata__\":5, \"w\": F16 "
            "BF16 \x1b[2J \xef\xbb\xbf \u009b \u202E \xff \xed\xa0\x80 고 \u0301 🙂");
        for (std::string piece; others >> piece;) found.push_back(piece);
        return found;
    }();
    return all;
}

// One small change: a piece more, some bytes less, another byte, or some bytes twice.
std::string changed(std::string bytes, Rng& rng) {
    const std::size_t place = rng.below(bytes.size() + 1);
    const std::size_t count = std::min(rng.below(8) + 1, bytes.size() - place);
    switch (rng.below(4)) {
        case 0:
            return bytes.insert(place, pieces()[rng.below(pieces().size())]);
        case 1:
            return bytes.erase(place, count);
        case 2:
            if (count > 0) bytes[place] = static_cast<char>(rng.below(256));
            return bytes;
        default:
            return bytes.insert(place, bytes.substr(place, count));
    }
}

// A change of the header, whose length then is right, so that a reader gets beyond it.
std::string changed_header(const std::string& file, Rng& rng) {
    constexpr std::size_t head = 8;
    if (file.size() < head) return file;
    const auto stated = static_cast<std::size_t>(static_cast<unsigned char>(file[0])) +
                        256 * static_cast<std::size_t>(static_cast<unsigned char>(file[1]));
    const std::size_t length = std::min(stated, file.size() - head);
    const std::string header = changed(file.substr(head, length), rng);
    std::string bytes;
    for (std::size_t i = 0; i < head; ++i)
        bytes += static_cast<char>(i < 4 ? (header.size() >> (8 * i)) & 0xFFU : 0U);
    return bytes + header + file.substr(head + length);
}

// Both together take half a second without optimisation.
constexpr int weight_file_changes = 400, text_changes = 40;

TEST(fuzz_replay, weight_files_are_refused_or_valid_and_come_back) {
    std::size_t accepted = 0;
    for (const auto& [name, bytes] : corpus_of("weight_file")) {
        EXPECT_EQ(judge_weight_file(bytes).wrong, "") << name;
        Rng rng(1);
        for (int i = 0; i < weight_file_changes; ++i) {
            std::string other = changed_header(bytes, rng);
            if (i % 2 == 1) other = i % 4 == 1 ? changed_header(other, rng) : changed(other, rng);
            const WeightFileVerdict verdict = judge_weight_file(other);
            EXPECT_EQ(verdict.wrong, "") << name << ", change " << i << ": " << harmless(other);
            accepted += verdict.accepted ? 1 : 0;
        }
    }
    EXPECT_GT(accepted, 100U) << "hardly a change was valid: this test says little";
}

TEST(fuzz_replay, only_what_is_valid_of_the_corpus_is_accepted) {
    const std::vector<std::string> valid = {"all_dtypes", "escaped_names", "no_tensors", "order_of_offsets",
                                            "padded"};
    for (const auto& [name, bytes] : corpus_of("weight_file"))
        EXPECT_EQ(judge_weight_file(bytes).accepted,
                  std::find(valid.begin(), valid.end(), name) != valid.end())
            << name;
}

TEST(fuzz_replay, words_are_split_and_shown_whatever_they_are) {
    for (const auto& [name, bytes] : corpus_of("text")) {
        EXPECT_EQ(wrong_with_text(bytes), "") << name;
        Rng rng(2);
        for (int i = 0; i < text_changes; ++i) {
            const std::string other = changed(i % 2 == 0 ? bytes : changed(bytes, rng), rng);
            EXPECT_EQ(wrong_with_text(other), "") << name << ", change " << i << ": " << harmless(other);
        }
    }
}

}  // namespace
}  // namespace tfs::test
