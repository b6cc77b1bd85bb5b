// tests/10_training/tasks_test.cpp · the four tasks by their names: what they need, what their options change and refuse
#include <gtest/gtest.h>

#include <cmath>

#include "chapters/09_transformer/models/text_transformer.hpp"
#include "chapters/10_training/models/tasks.hpp"
#include "common/io/atomic_file.hpp"
#include "common/program/weights.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(tasks, have_the_plans_that_their_shipped_weights_were_trained_with) {
    const std::string end = "betas 0.9 0.999, epsilon 1e-08, decay 0.01, ";
    const auto plan = [](const char* name) { return in_words(settings_of(name, {}).plan); };
    EXPECT_EQ(plan("nouns"),
              "300 steps of 64, rate 0.003 to 0.0003 after 50 of warm-up, smoothing 0, clipping 1, " + end +
                  "evaluation every 50, patience 0, seed 1");
    EXPECT_EQ(plan("it"),
              "2400 steps of 64, rate 0.002 to 0.0002 after 100 of warm-up, smoothing 0, clipping 1, " + end +
                  "evaluation every 200, patience 0, seed 1");
    EXPECT_EQ(plan("dates"),
              "1800 steps of 64, rate 0.003 to 0.00015 after 200 of warm-up, smoothing 0, clipping 1, " +
                  end + "evaluation every 200, patience 0, seed 1");
}

TEST(tasks, have_the_heads_and_widths_of_their_shipped_weights) {
    for (const TaskNeeds& needs : tasks()) {
        const Metadata metadata = load_weight_file(weights_file(needs.name)).metadata;
        EXPECT_EQ(std::to_string(needs.config().heads), metadata.at("heads")) << needs.name;
        if (metadata.contains("d_model")) {
            EXPECT_EQ(std::to_string(needs.config().d_model), metadata.at("d_model")) << needs.name;
        }
    }
}

// The shapes of the weights don't tell the number of heads: a checkpoint of other heads must have another plan.
TEST(tasks, name_heads_that_they_do_not_have_by_themselves) {
    for (const char* name : {"nouns", "it", "dates"}) {
        const TaskSettings settings = settings_of(name, {.heads = 2});
        EXPECT_EQ(settings.heads, 2U);
        EXPECT_EQ(settings.plan.subject, "2 heads");
    }
    EXPECT_EQ(settings_of("it", {.heads = 1}).plan.subject, "1 head");
    EXPECT_EQ(settings_of("it", {.heads = 4}).plan.subject, "");
}

TEST(tasks, refuse_what_they_can_not_do_and_name_option_and_task) {
    for (const TaskNeeds& needs : tasks()) {
        const auto refuse = [&](const TaskOptions& options, const std::string& option) {
            EXPECT_TRUE(refuses<ValueError>([&] { (void)settings_of(needs.name, options); },
                                            {option, std::string("--train ") + needs.name}));
        };
        refuse({.steps = 1}, "--steps 1");
        refuse({.heads = 5}, "--heads 5");
        refuse({.rate = -1.0}, "--rate -1");
        refuse({.rate = NAN}, "--rate nan");
    }
    EXPECT_TRUE(refuses<ValueError>([] { (void)settings_of("it", {.corpus = "text"}); },
                                    {"--corpus", "characters", "it"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { (void)make_task("zebra"); }, {"zebra", "nouns, it, dates, characters"}));
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
