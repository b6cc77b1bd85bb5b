// tests/09_transformer/whole_model_test.cpp · step whole_model: the stages of the shipped decoder on 20 windows of plays
#include "chapters/09_transformer/whole_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "common/program/recording.hpp"
#include "common/program/weights.hpp"
#include "tests/09_transformer/whole_model_suspects.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t windows = 20;

struct Shipped {
    WholeModel model;
    Ids ids;  // (20, 30)
};

// The decoder, and the beginning of what chapter 10 recorded of it.
Shipped shipped() {
    const TrainedModel trained = load_trained_model(weights_file("characters"), character_kind());
    const CharacterRecording recording = load_recording(weights_file("characters_recording"));
    Ids ids = Ids::from_shape({windows, recorded_text});
    for (std::size_t i = 0; i < windows; ++i) {
        const Ids window = trained.tokenizer.encode(recording.texts[i]);
        std::copy(window.begin(), window.end(), ids.begin() + static_cast<std::ptrdiff_t>(i * recorded_text));
    }
    return {WholeModel(trained), ids};
}

std::vector<std::string> names_of(const std::vector<Stage>& stages) {
    std::vector<std::string> names;
    for (const Stage& stage : stages) names.push_back(stage.name);
    return names;
}

// What the contract asks for.
std::vector<std::string> right_names(std::size_t layers) {
    std::vector<std::string> names{"embedding"};
    for (std::size_t i = 0; i < layers; ++i) names.push_back(fmt::format("blocks.{}", i));
    names.insert(names.end(), {"final_norm", "logits"});
    return names;
}

// The likely cause of other names.
std::string cause_of(const std::vector<std::string>& names, std::size_t layers) {
    const auto count = [&](const std::string& name) { return std::count(names.begin(), names.end(), name); };
    const auto block = [](std::size_t i) { return fmt::format("blocks.{}", i); };
    const std::vector<std::string> right = right_names(layers);
    const auto twice =
        std::find_if(right.begin(), right.end(), [&](const auto& name) { return count(name) > 1; });
    const auto lost =
        std::find_if(right.begin(), right.end(), [&](const auto& name) { return count(name) == 0; });
    if (names.empty()) return "no stage is returned: push back each of them, and return the list";
    if (names.size() == 1) return "one stage is returned; there is one for each part";
    if (twice != right.end())
        return *twice + " is there more than once; a block has one stage, what leaves it at its end";
    if (lost == right.end())
        return names.size() == right.size() ? "the order is another" : "there are too many";
    if (count(block(0)) == 0 && count(block(layers)) > 0) return "the blocks are counted from 0";
    if (names.size() == right.size()) return "these are the names of the contract, to the letter";
    if (*lost == block(layers - 1))
        return fmt::format("the last block is left out: config.num_layers is {}", layers);
    return *lost + " is missing";
}

// The largest entry of a stage decides how far off each of them may be.
double largest_entry(const Tensor& x) {
    float largest = 0.0f;
    for (const float value : x.values()) largest = std::max(largest, std::abs(value));
    return largest;
}

// GELU's tanh form changes blocks.0 by 2e-4 of its largest entry, another eps by 6e-4. Another order of sums: by 1e-6.
constexpr double share = 2e-5;

// The first stage that differs, with its likely cause.
testing::AssertionResult same_stages(const WholeModel& model, const Ids& ids,
                                     const std::vector<Stage>& stages) {
    const std::vector<Stage> right = reference_stages(model, ids);
    for (std::size_t i = 0; i < right.size(); ++i) {
        const std::string what = fmt::format("stage {}{}, at (window, position, column)", right[i].name,
                                             i == 0 ? "" : ", the first that differs");
        std::vector<Stage> before = stages;  // hers: they are right
        before[i] = right[i];
        const testing::AssertionResult same =
            close_named(what, stages[i].x, right[i].x, {0.0, share * largest_entry(right[i].x)},
                        stage_suspects(model, before, i));
        if (!same) return same;
    }
    return testing::AssertionSuccess();
}

TEST(whole_model, returns_a_stage_for_each_part) {
    const Shipped given = shipped();
    const std::size_t layers = given.model.config.num_layers;
    const std::vector<std::string> names = names_of(given.model(given.ids)), right = right_names(layers);
    EXPECT_EQ(names, right) << fmt::format("the stages are: {}; they should be: {}", fmt::join(names, ", "),
                                           fmt::join(right, ", "))
                            << likely_if(true, cause_of(names, layers));
}

TEST(whole_model, computes_each_stage_of_the_shipped_decoder) {
    const Shipped given = shipped();
    const std::vector<Stage> stages = given.model(given.ids);
    if (names_of(stages) != right_names(given.model.config.num_layers))
        GTEST_SKIP() << "first returns_a_stage_for_each_part must pass";
    EXPECT_TRUE(same_stages(given.model, given.ids, stages));
}

TEST(whole_model, reads_texts_of_any_length) {
    const Shipped given = shipped();
    for (const Shape& shape : {Shape{1, 1}, Shape{3, 11}}) {
        Ids ids = Ids::from_shape(shape);
        std::copy_n(given.ids.begin(), ids.size(), ids.begin());
        const std::vector<Stage> stages = given.model(ids);
        ASSERT_FALSE(stages.empty()) << "no stage is returned";
        const Tensor right = reference_stages(given.model, ids).back().x;
        ASSERT_TRUE(close_named("logits of ids " + to_string(shape), stages.back().x, right,
                                {0.0, share * largest_entry(right)}));
    }
}

}  // namespace
}  // namespace tfs::test
