// tests/10_training/tasks_test.cpp · the four tasks by their names: what they need, what their options change and refuse
#include <gtest/gtest.h>

#include "chapters/10_training/models/tasks.hpp"
#include "common/program/weights.hpp"

namespace tfs::test {
namespace {

TEST(tasks, have_the_plans_heads_and_widths_of_their_shipped_weights) {
    for (const TaskNeeds& needs : tasks()) {
        const Metadata metadata = load_weight_file(weights_file(needs.name)).metadata;
        if (needs.name != std::string("characters")) {
            EXPECT_EQ(in_words(settings_of(needs.name, {}).plan), metadata.at("plan")) << needs.name;
        }
        EXPECT_EQ(std::to_string(needs.config().heads), metadata.at("heads")) << needs.name;
        if (metadata.contains("d_model")) {
            EXPECT_EQ(std::to_string(needs.config().d_model), metadata.at("d_model")) << needs.name;
        }
    }
}

}  // namespace
}  // namespace tfs::test
