// tests/09_transformer/whole_model_test.cpp · step whole_model: the stages of the shipped decoder on 20 windows of plays
#include "chapters/09_transformer/whole_model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "chapters/08_encoder_decoder/models/model_kinds.hpp"
#include "chapters/09_transformer/models/text_transformer.hpp"
#include "common/program/weights.hpp"
#include "tests/09_transformer/checklist.hpp"
#include "tests/09_transformer/whole_model_suspects.hpp"
#include "tests/support/refusal.hpp"

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
    return {WholeModel(trained), recorded_windows(trained.tokenizer, windows)};
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
    if (names.size() == right.size() && count(block(0)) == static_cast<std::ptrdiff_t>(layers))
        return "all blocks are called blocks.0: is the index of the loop used?";
    if (twice != right.end())
        return *twice + " is there more than once; a block has one stage, what leaves it at its end";
    if (lost == right.end())
        return names.size() == right.size() ? "the order is another" : "there are too many";
    if (count(block(0)) == 0 && count(block(layers)) > 0) return "the blocks are counted from 0";
    if (names.size() == right.size()) return "these are the names of the contract, to the letter";
    if (*lost == block(layers - 1))
        return fmt::format("the last block is left out: config.num_layers is {}", layers);
    return "there is no stage " + *lost;
}

// GELU's tanh form changes blocks.0 by 2e-4 of its largest entry, another eps by 6e-4. Another order of sums: by 1e-6.
constexpr double share = 2e-5;

enum class Causes { named, none };

// The first stage that differs, with its likely cause; as far as the stages have the names of the contract.
testing::AssertionResult same_stages(const WholeModel& model, const Ids& ids,
                                     const std::vector<Stage>& stages, Causes causes) {
    const std::vector<Stage> right = reference_stages(model, ids);
    for (std::size_t i = 0; i < right.size(); ++i) {
        if (i >= stages.size() || stages[i].name != right[i].name) break;
        const std::string what = fmt::format("stage {}{}, at (window, position, column)", right[i].name,
                                             i == 0 ? "" : ", the first that differs");
        std::vector<Stage> before = stages;  // the learner's own: those before this one are right
        before[i] = right[i];
        testing::AssertionResult same =
            close_named(what, stages[i].x, right[i].x, {0.0, share * largest_entry(right[i].x)},
                        causes == Causes::named ? stage_suspects(model, before, i) : std::vector<Suspect>());
        if (same) continue;
        if (causes == Causes::none) return same;
        const bool is_block = right[i].name.starts_with("blocks."),
                   fits = stages[i].x.shape() == right[i].x.shape();
        const bool known = std::string(same.message()).find("Likely cause") != std::string::npos;
        const std::string two =
            is_block && fits && !known ? two_causes(model, stages[i - 1].x, stages[i].x, i - 1) : "";
        return same << likely_if(!two.empty(), two);
    }
    return testing::AssertionSuccess();
}

// What she returns; nothing, and a failure, where shapes do not fit.
std::optional<std::vector<Stage>> returned(const WholeModel& model, const Ids& ids) {
    return result_or_failure([&] { return model(ids); },
                             [](const ShapeError& error) {
                                 return likely_if(
                                     names(error.what(), "apply_rotary"),
                                     "rotary positions turn each head by itself: they come after "
                                     "split_heads, with d_k = d_model / num_heads");
                             });
}

TEST(whole_model, returns_a_stage_for_each_part) {
    const Shipped given = shipped();
    const std::size_t layers = given.model.config.num_layers;
    const auto stages = returned(given.model, given.ids);
    if (!stages) return;
    const std::vector<std::string> found = names_of(*stages);
    EXPECT_EQ(found, right_names(layers)) << likely_if(true, cause_of(found, layers));
}

TEST(whole_model, computes_each_stage_of_the_shipped_decoder) {
    const Shipped given = shipped();
    const auto stages = returned(given.model, given.ids);
    if (!stages) return;
    EXPECT_TRUE(same_stages(given.model, given.ids, *stages, Causes::named));
    if (names_of(*stages) != right_names(given.model.config.num_layers))
        GTEST_SKIP() << "first returns_a_stage_for_each_part must pass";
}

TEST(whole_model, reads_texts_of_any_length) {
    const Shipped given = shipped();
    const auto of_shipped = returned(given.model, given.ids);
    if (!of_shipped) return;
    if (!same_stages(given.model, given.ids, *of_shipped, Causes::none))
        GTEST_SKIP() << "first computes_each_stage_of_the_shipped_decoder must pass";
    for (const Shape& shape : {Shape{1, 1}, Shape{3, 11}}) {
        Ids ids = Ids::from_shape(shape);
        std::copy_n(given.ids.begin(), ids.size(), ids.begin());
        const auto stages = returned(given.model, ids);
        if (!stages || stages->empty()) return;  // returns_a_stage_for_each_part says it
        const Tensor right = reference_stages(given.model, ids).back().x;
        ASSERT_TRUE(close_named("logits of ids " + to_string(shape), stages->back().x, right,
                                {0.0, share * largest_entry(right)}));
    }
}

}  // namespace
}  // namespace tfs::test
