// tests/10_training/tasks_test.cpp · the four tasks by their names: what they need, what their options change and refuse
#include <gtest/gtest.h>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/10_training/models/tasks.hpp"
#include "common/io/atomic_file.hpp"
#include "common/program/weights.hpp"
#include "tests/common/scratch_folder.hpp"

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

TEST(tasks, are_trained_and_saved_from_their_names_alone) {
    const ScratchFolder folder;
    std::string text;
    for (int i = 0; i < 200; ++i) text += i % 3 == 0 ? "the cat sat on the mat. " : "a dog ran to the lake. ";
    write_file_atomically(folder / "text", text);
    const Task task = make_task("characters", {.steps = 2, .heads = 2, .seed = 5, .corpus = folder / "text"});
    Trainer trainer(task);
    train(trainer);
    save_trained(task, folder / "weights");
    const Metadata metadata = load_weight_file(folder / "weights").metadata;
    EXPECT_EQ(metadata.at("plan"), in_words(task.plan));
    EXPECT_EQ(metadata.at("heads"), "2");
    const auto model = load_network<TextTransformer>(folder / "weights", character_kind());
    EXPECT_EQ(model.parameters().size(), task.parameters.size());
    EXPECT_EQ(task.parameters.size(), trainer.optimizer.parameters.size());
}

}  // namespace
}  // namespace tfs::test
