// tests/tools/runner_update_test.cpp · ./tutorial update: a new version, with what the learner wrote
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/gaps.hpp"

namespace tfs::tools_test {

namespace {

const Options as_somebody = {.environment = {"GIT_AUTHOR_NAME=somebody", "GIT_AUTHOR_EMAIL=a@b",
                                             "GIT_COMMITTER_NAME=somebody", "GIT_COMMITTER_EMAIL=a@b",
                                             "GIT_CONFIG_GLOBAL=/dev/null"}};

// A learner's clone of a tutorial, and the clone where its next version is made.
struct Clones {
    MiniTutorial mini;
    TemporaryFolder elsewhere;
    fs::path origin = elsewhere.path() / "origin.git", next = elsewhere.path() / "next";

    Clones() {
        git(mini.root(), {"init", "-q", "-b", "main"});
        steps::write_text(mini.root() / ".gitignore", ".tutorial/\nbuild/\nplots/\n");
        steps::write_text(mini.root() / "tutorial",
                          "#!/bin/sh\nexec " TFS_TUTORIAL_RUNNER " --root=. --caller=. \"$@\"\n");
        fs::permissions(mini.root() / "tutorial", fs::perms::owner_all);
        commit(mini.root());
        git(elsewhere.path(), {"clone", "-q", "--bare", mini.root().string(), origin.string()});
        git(mini.root(), {"remote", "add", "origin", origin.string()});
        git(mini.root(), {"fetch", "-q"});
        git(mini.root(), {"branch", "-q", "-u", "origin/main"});
        git(elsewhere.path(), {"clone", "-q", origin.string(), next.string()});
    }

    void git(const fs::path& folder, std::vector<std::string> words) const {
        words.insert(words.begin(), {"/usr/bin/env", "git"});
        Options options = as_somebody;
        options.caller = folder;
        const Result result = mini.start_program(words, options).finish();
        ASSERT_EQ(result.code, 0) << result.out << result.err;
    }
    void commit(const fs::path& folder) const {
        git(folder, {"add", "-A"});
        git(folder, {"commit", "-q", "-m", "a version"});
    }

    void write_step(const std::string& name, const std::string& banner, const std::string& functions) const {
        const std::string path = "solutions/00_little/" + name + ".cpp";
        const std::string text =
            banner + "\n// " + path + "\n#include \"chapters/00_little/little.hpp\"\n" + functions;
        steps::write_text(next / path, text);
        steps::write_text(next / "exercises/00_little" / (name + ".cpp"), steps::exercise_of(text, path));
    }
    // Both steps are one now.
    void publish_merged() const {
        for (const char* name : {"double_it", "halve_it"})
            for (const char* folder : {"solutions/00_little", "exercises/00_little"})
                fs::remove(next / folder / (std::string(name) + ".cpp"));
        write_step("both_ways", "// Step 0.1 · both_ways · ●○○ · 5 min",
                   "\nint double_it(int x) {\n    // begin: Twice.\n    return 2 * x;\n    // end\n}\n"
                   "\nint halve_it(int x) {\n    // begin: Half.\n    return x / 2;\n    // end\n}\n");
        steps::write_text(next / "solutions/earlier_steps.txt",
                          "double_it: both_ways\nhalve_it: both_ways\n");
        commit(next);
        git(next, {"push", "-q"});
    }
    // The first one is given now.
    void publish_given() const {
        fs::remove(next / "solutions/00_little/double_it.cpp");
        fs::remove(next / "exercises/00_little/double_it.cpp");
        const std::string halve = steps::read_text(next / "solutions/00_little/halve_it.cpp");
        write_step("halve_it", "// Step 0.1 · halve_it · ●○○ · 5 min", halve.substr(halve.find("\nint ")));
        steps::write_text(next / "solutions/earlier_steps.txt", "double_it: given\n");
        commit(next);
        git(next, {"push", "-q"});
    }

    Result update() const { return mini.run({"update"}, as_somebody); }
};

}  // namespace

TEST(runner_update, a_merged_step_gets_both_parts_and_passed_if_both_did) {
    const Clones clones;
    clones.mini.solve("double_it");
    clones.mini.solve("halve_it");
    ASSERT_EQ(clones.mini.run({"check"}).code, 0);
    clones.publish_merged();
    const Result told = clones.update();
    EXPECT_EQ(told.code, 0) << told.err;
    EXPECT_TRUE(contains(told.out, "0.1 both_ways has your double_it and halve_it\n"));
    EXPECT_TRUE(contains(told.out, "Carried over: 1 of your files; 1 of these steps passed before"));
    const std::string text = clones.mini.text_of("exercises/00_little/both_ways.cpp");
    EXPECT_TRUE(contains(text, "return 2 * x;"));
    EXPECT_TRUE(contains(text, "return x / 2;"));
    EXPECT_TRUE(contains(clones.mini.run({}).out, "1 of 1"));
    EXPECT_TRUE(contains(clones.update().out, "There is no newer version.\n"));
}

TEST(runner_update, a_merged_step_is_not_passed_if_one_part_was_not) {
    const Clones clones;
    clones.mini.solve("double_it");
    ASSERT_EQ(clones.mini.run({"check", "0.1"}).code, 0);
    clones.publish_merged();
    const Result told = clones.update();
    EXPECT_TRUE(contains(told.out, "0.1 both_ways has your double_it; still open: halve_it\n"));
    EXPECT_TRUE(contains(clones.mini.run({}).out, "0 of 1  0.1 both_ways: not checked yet\n"));
}

TEST(runner_update, a_step_that_is_given_now_is_named_once_and_kept) {
    const Clones clones;
    clones.mini.solve("double_it");
    clones.mini.solve("halve_it");
    ASSERT_EQ(clones.mini.run({"check"}).code, 0);
    const std::string mine = clones.mini.text_of("exercises/00_little/double_it.cpp");
    clones.publish_given();
    const Result told = clones.update();
    EXPECT_EQ(told.code, 0) << told.err;
    const std::string kept = ".tutorial/update/1/exercises/00_little/double_it.cpp";
    EXPECT_TRUE(contains(told.out, "double_it is no step any more; your file is kept in " + kept + "\n"));
    EXPECT_EQ(clones.mini.text_of(kept), mine);
    EXPECT_FALSE(contains(clones.mini.run({}).out, "double_it"));
    EXPECT_TRUE(contains(clones.mini.run({}).out, "1 of 1"));
}

TEST(runner_update, what_the_learner_committed_is_carried_over_as_well) {
    const Clones clones;
    clones.mini.solve("double_it");
    clones.mini.solve("halve_it");
    ASSERT_EQ(clones.mini.run({"check"}).code, 0);
    clones.commit(clones.mini.root());
    clones.publish_merged();
    const Result told = clones.update();
    EXPECT_EQ(told.code, 0) << told.err;
    EXPECT_TRUE(contains(clones.mini.text_of("exercises/00_little/both_ways.cpp"), "return x / 2;"));
    EXPECT_TRUE(contains(clones.mini.run({}).out, "1 of 1"));
}

TEST(runner_update, leaves_all_as_it_was_where_git_can_not_pull) {
    const Clones clones;
    clones.mini.solve("double_it");
    const std::string mine = clones.mini.text_of("exercises/00_little/double_it.cpp");
    steps::write_text(clones.next / "chapters/00_little/README.md", "# 0 · Less\n");
    steps::write_text(clones.mini.root() / "chapters/00_little/README.md", "# 0 · More\n");
    clones.publish_merged();
    const Result told = clones.update();
    EXPECT_EQ(told.code, 2);
    EXPECT_TRUE(contains(told.err, "git can't bring the new version, and all is as it was. It says:"));
    EXPECT_EQ(clones.mini.text_of("exercises/00_little/double_it.cpp"), mine);
    EXPECT_EQ(clones.mini.text_of("chapters/00_little/README.md"), "# 0 · More\n");
    EXPECT_FALSE(fs::exists(clones.mini.root() / ".tutorial/update/pending"));
}

TEST(runner_update, files_of_earlier_steps_that_another_way_brought_are_taken_over) {
    const Clones clones;
    clones.mini.solve("double_it");
    const std::string mine = clones.mini.text_of("exercises/00_little/double_it.cpp");
    clones.publish_merged();
    clones.git(clones.mini.root(), {"stash", "-q"});
    clones.git(clones.mini.root(), {"pull", "-q"});
    steps::write_text(clones.mini.exercise("double_it"), mine);
    EXPECT_TRUE(contains(
        clones.mini.run({}).out,
        "exercises/00_little/double_it.cpp is of an earlier version: ./tutorial update takes it over.\n"));
    EXPECT_TRUE(contains(clones.update().out, "0.1 both_ways has your double_it; still open: halve_it\n"));
    EXPECT_FALSE(fs::exists(clones.mini.exercise("double_it")));
    EXPECT_FALSE(contains(clones.mini.run({}).out, "earlier version"));
}

TEST(runner_update, without_git_says_what_to_do) {
    const MiniTutorial mini("no_git");
    const Result told = mini.run({"update"});
    EXPECT_EQ(told.code, 2);
    EXPECT_TRUE(
        contains(told.err, "this folder is no git clone; copy your folders exercises/ and .tutorial/"));
}

}  // namespace tfs::tools_test
