// tests/10_training/recording_test.cpp · the shipped model still gives what was recorded, and the recording says what it should
#include "chapters/10_training/models/recording.hpp"

#include <algorithm>
#include <filesystem>

#include "chapters/10_training/models/character_task.hpp"
#include "common/base/array.hpp"
#include "common/io/weights.hpp"
#include "tests/10_training/shipped_text.hpp"
#include "tests/common/environment.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {

namespace {

const std::filesystem::path& shipped() {
    static const std::filesystem::path file = weights_file("characters_recording");
    return file;
}

// Contexts that end so, among the `count` at which a unit is strongest.
std::size_t ends_so(const CharacterRecording& recording, std::size_t unit, const std::string& ending,
                    std::size_t count) {
    const std::size_t contexts = recording.contexts.size();
    const std::vector<std::size_t> strongest =
        largest_of(recording.strengths.values().subspan(unit * contexts, contexts), count);
    return static_cast<std::size_t>(std::count_if(strongest.begin(), strongest.end(), [&](std::size_t i) {
        return recording.contexts[i].ends_with(ending);
    }));
}

}  // namespace

TEST(recording, is_what_the_shipped_model_gives) {
    const auto model = load_network<TextTransformer>(weights_file("characters"), character_kind());
    const CharacterRecording now = recorded(model, shakespeare()), file = load_recording(shipped());
    EXPECT_EQ(now.characters, file.characters);
    EXPECT_EQ(now.units, file.units);
    EXPECT_EQ(now.contexts, file.contexts);
    EXPECT_EQ(now.texts, file.texts);
    EXPECT_EQ(now.parts, file.parts);
    // The file keeps 11 significant bits. So does the file of the weights: values and table are the same.
    for (const auto& part :
         {&CharacterRecording::values, &CharacterRecording::table, &CharacterRecording::candidates,
          &CharacterRecording::gamma, &CharacterRecording::beta})
        EXPECT_TRUE(close(file.*part, now.*part, {0.0, 0.0}));
    for (const auto& part :
         {&CharacterRecording::strengths, &CharacterRecording::stream, &CharacterRecording::deviations})
        EXPECT_TRUE(close(file.*part, now.*part, {2e-3, 1e-3}));
    EXPECT_LE(std::filesystem::file_size(shipped()), 420'000U);
}

TEST(recording, has_three_units_that_can_be_read) {
    const CharacterRecording recording = load_recording(shipped());
    ASSERT_EQ(recording.units.size(), 60U);
    ASSERT_EQ(recording.contexts.size(), 2000U);
    const char* const endings[] = {"sir", "not", "the"};
    const char* const raised[] = {"?", " ", " "};
    for (std::size_t unit = 0; unit < 3; ++unit) {
        EXPECT_GE(ends_so(recording, unit, endings[unit], 20), 16U) << recording.units[unit];
        std::size_t best = 0;
        std::vector<double> logits;
        for (std::size_t id = 0; id < recording.characters.size(); ++id) {
            double sum = 0.0;
            for (std::size_t i = 0; i < recording.table.size(1); ++i)
                sum += static_cast<double>(recording.table.at({id, i}) * recording.values.at({unit, i}));
            logits.push_back(sum);
            if (sum > logits[best]) best = id;
        }
        EXPECT_EQ(recording.characters.substr(best, 1), raised[unit]) << recording.units[unit];
    }
}

TEST(recording, a_file_of_something_else_is_refused) {
    EXPECT_TRUE(refuses<FileError>([] { (void)load_recording(weights_file("nouns")); },
                                   {"nouns.safetensors", "no recording", "\"characters\" is missing"}));
    const ScratchFolder folder;
    CharacterRecording short_one = load_recording(shipped());
    short_one.contexts.pop_back();
    save_recording(folder / "short.safetensors", short_one);
    EXPECT_TRUE(refuses<FileError>([&] { (void)load_recording(folder / "short.safetensors"); },
                                   {"units.strengths", "1999"}));
    short_one.contexts.back() = "short";
    save_recording(folder / "short.safetensors", short_one);
    EXPECT_TRUE(refuses<FileError>([&] { (void)load_recording(folder / "short.safetensors"); },
                                   {"\"contexts\" is cut"}));
}

}  // namespace tfs::test
