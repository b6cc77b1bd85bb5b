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

    // The first one has other functions now.
    void publish_double_it(const std::string& functions) const {
        write_step("double_it", "// Step 0.1 · double_it · ●○○ · 5 min", functions);
        commit(next);
        git(next, {"push", "-q"});
    }
    // Another parameter, and another given line.
    void publish_other_parameters() const {
        publish_double_it(
            "\nint double_it(int x,\n              int times) {\n    require(x);\n"
            "    // begin: Twice.\n    return 2 * x;\n    // end\n}\n");
    }
    // Its function is given, with another parameter; another one is to be written.
    void publish_given_function() const {
        publish_double_it(
            "\nint double_it(int x, int times) {\n    return x * times;\n}\n"
            "\nint twice(int x) {\n    // begin: Twice.\n    return 2 * x;\n    // end\n}\n");
    }
    void publish_news() const {
        steps::write_text(next / "news.txt", "more\n");
        commit(next);
        git(next, {"push", "-q"});
    }
    // The new version is here by git alone; then her file of before is copied into it.
    void pull_and_copy(const std::string& step, const std::string& text) const {
        git(mini.root(), {"checkout", "-q", "--", "exercises"});
        git(mini.root(), {"pull", "-q"});
        steps::write_text(mini.exercise(step), text);
    }
    std::string next_exercise(const std::string& step) const {
        return steps::read_text(next / "exercises/00_little" / (step + ".cpp"));
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
    EXPECT_TRUE(contains(told.out,
                         "is in one exercise of this version. It passed before and counts as passed. "
                         "./tutorial check tries it "));
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
    EXPECT_TRUE(
        contains(told.err, "git can't bring the new version, and your files are as they were; git says:"));
    EXPECT_EQ(clones.mini.text_of("exercises/00_little/double_it.cpp"), mine);
    EXPECT_EQ(clones.mini.text_of("chapters/00_little/README.md"), "# 0 · More\n");
    EXPECT_FALSE(fs::exists(clones.mini.root() / ".tutorial/update/pending"));
}

TEST(runner_update, what_was_written_comes_under_other_parameters_and_is_not_passed) {
    const Clones clones;
    std::string text = clones.mini.text_of("exercises/00_little/double_it.cpp");
    const std::string open = "    throw NotImplemented(\"0.1 double_it\");\n";
    text.replace(text.find(open), open.size(), "    return x + x;\n");
    steps::write_text(clones.mini.exercise("double_it"), text);
    ASSERT_EQ(clones.mini.run({"check", "0.1"}).code, 0);
    clones.publish_other_parameters();
    EXPECT_TRUE(
        contains(clones.update().out, "is in one exercise of this version. It did not pass before. "));
    EXPECT_TRUE(
        contains(clones.mini.text_of("exercises/00_little/double_it.cpp"),
                 "int double_it(int x,\n              int times) {\n    require(x);\n    // TODO 0.1: "
                 "Twice.\n    return x + x;\n}\n"));
}

TEST(runner_update, what_may_not_compile_any_more_does_not_count_as_passed) {
    const Clones clones;
    clones.mini.solve("double_it");
    clones.mini.solve("halve_it");
    ASSERT_EQ(clones.mini.run({"check"}).code, 0);
    const fs::path contract = clones.next / "chapters/00_little/little.hpp";
    steps::write_text(contract, steps::read_text(contract) + "int twice(int x);\n");
    steps::write_text(clones.next / "solutions/earlier_contracts.txt", "* | 2 * x | twice | write twice\n");
    clones.commit(clones.next);
    clones.git(clones.next, {"push", "-q"});
    EXPECT_TRUE(
        contains(clones.update().out,
                 "is in 2 exercises of this version. 1 of them passed before and counts as passed. "));
    EXPECT_TRUE(contains(clones.mini.run({}).out, "1 of 2  0.1 double_it: not checked yet\n"));
}

TEST(runner_update, a_file_with_earlier_parameters_is_taken_over_without_a_newer_version) {
    const Clones clones;
    std::string text = clones.mini.text_of("exercises/00_little/double_it.cpp");
    const std::string open = "    throw NotImplemented(\"0.1 double_it\");\n";
    text.replace(text.find(open), open.size(), "    return x + x;\n");
    clones.publish_other_parameters();
    clones.git(clones.mini.root(), {"pull", "-q"});
    steps::write_text(clones.mini.exercise("double_it"), text);
    const Result told = clones.update();
    EXPECT_TRUE(contains(told.out, "Copies of all are in .tutorial/update/1\n"));
    const std::string carried = clones.mini.text_of("exercises/00_little/double_it.cpp");
    EXPECT_TRUE(
        contains(carried, "int times) {\n    require(x);\n    // TODO 0.1: Twice.\n    return x + x;\n}"))
        << "the stub that it began as is in the history";
    EXPECT_EQ(clones.mini.text_of(".tutorial/update/1/exercises/00_little/double_it.cpp"), text);
    EXPECT_TRUE(contains(clones.update().out, "There is no newer version.\n"));
    EXPECT_EQ(clones.mini.text_of("exercises/00_little/double_it.cpp"), carried);
}

TEST(runner_update, an_old_stub_that_nobody_began_does_not_keep_it_from_pulling) {
    const Clones clones;
    const std::string file = "exercises/00_little/double_it.cpp", old = clones.mini.text_of(file);
    clones.publish_other_parameters();
    clones.pull_and_copy("double_it", old);
    clones.publish_news();
    const Result told = clones.update();
    EXPECT_EQ(told.code, 0) << told.err;
    EXPECT_EQ(told.out,
              "Stubs of an earlier version that you had not begun are those of this version now: double_it\n"
              "This is the new version now (1 new commit).\n");
    EXPECT_EQ(clones.mini.text_of(file), clones.next_exercise("double_it"));
    EXPECT_FALSE(fs::exists(clones.mini.root() / ".tutorial/update/1" / file)) << "no work of hers";
    EXPECT_EQ(clones.update().out, "There is no newer version.\n");
    EXPECT_FALSE(fs::exists(clones.mini.root() / ".tutorial/update/2"));
}

TEST(runner_update, an_old_stub_with_another_task_and_number_is_no_work) {
    const Clones clones;
    std::string old = clones.mini.text_of("exercises/00_little/double_it.cpp");
    clones.publish_double_it(
        "\nint double_it(int x) {\n    // begin: Two.\n    return 2 * x;\n    // end\n}\n");
    for (std::size_t at = 0; (at = old.find("0.1", at)) != std::string::npos;) old.replace(at, 3, "0.7");
    clones.pull_and_copy("double_it", old);
    EXPECT_TRUE(contains(clones.update().out, "are those of this version now: double_it\n"));
    EXPECT_EQ(clones.mini.text_of("exercises/00_little/double_it.cpp"), clones.next_exercise("double_it"));
    EXPECT_EQ(clones.update().out, "There is no newer version.\n");
}

TEST(runner_update, a_stub_with_an_earlier_banner_does_not_keep_git_from_pulling) {
    const Clones clones;
    std::string old = clones.mini.text_of("exercises/00_little/double_it.cpp");
    steps::write_text(clones.mini.exercise("double_it"), old.replace(old.find("5 min"), 5, "9 min"));
    clones.publish_other_parameters();
    EXPECT_EQ(clones.update().out, "This is the new version now (1 new commit).\n");
    EXPECT_EQ(clones.mini.text_of("exercises/00_little/double_it.cpp"), clones.next_exercise("double_it"));
}

TEST(runner_update, an_old_stub_that_she_committed_does_not_keep_git_from_pulling) {
    const Clones clones;
    const std::string old = clones.mini.text_of("exercises/00_little/double_it.cpp");
    clones.publish_other_parameters();
    clones.pull_and_copy("double_it", old);
    clones.commit(clones.mini.root());
    clones.publish_given_function();
    const Result told = clones.update();
    EXPECT_EQ(told.code, 0) << told.out << told.err;
    EXPECT_EQ(clones.mini.text_of("exercises/00_little/double_it.cpp"), clones.next_exercise("double_it"));
}

TEST(runner_update, a_line_in_an_old_stub_makes_it_hers) {
    const Clones clones;
    const std::string file = "exercises/00_little/double_it.cpp";
    std::string text = clones.mini.text_of(file);
    text.insert(text.find("    throw"), "    // x + x?\n");
    clones.publish_other_parameters();
    clones.pull_and_copy("double_it", text);
    EXPECT_TRUE(contains(clones.update().out, "Copies of all are in .tutorial/update/1\n"));
    EXPECT_TRUE(contains(clones.mini.text_of(file), "// x + x?\n    throw"));
    EXPECT_EQ(clones.mini.text_of(".tutorial/update/1/" + file), text);
    EXPECT_EQ(clones.update().out, "There is no newer version.\n");
}

TEST(runner_update, a_stub_that_git_does_not_know_is_kept_and_the_new_one_takes_its_place) {
    const Clones clones;
    const std::string file = "exercises/00_little/double_it.cpp", kept = ".tutorial/update/1/" + file;
    std::string text = clones.mini.text_of(file);
    text.replace(text.find("int x"), 5, "float y");
    steps::write_text(clones.mini.root() / file, text);
    EXPECT_EQ(clones.update().out, file +
                                       " is the stub of this version now; what you had there fits none of "
                                       "its gaps, and is kept in " +
                                       kept + "\n");
    EXPECT_EQ(clones.mini.text_of(file), clones.next_exercise("double_it"));
    EXPECT_EQ(clones.mini.text_of(kept), text);
    EXPECT_EQ(clones.update().out, "There is no newer version.\n");
    EXPECT_FALSE(fs::exists(clones.mini.root() / ".tutorial/update/2"));
}

TEST(runner_update, a_file_whose_only_written_function_has_no_place_is_kept_and_becomes_the_stub) {
    const Clones clones;
    const std::string file = "exercises/00_little/double_it.cpp", kept = ".tutorial/update/1/" + file;
    clones.mini.solve("double_it");
    const std::string mine = clones.mini.text_of(file);
    clones.publish_given_function();
    clones.pull_and_copy("double_it", mine);
    EXPECT_EQ(clones.update().out, file +
                                       " is the stub of this version now; what you had there fits none of "
                                       "its gaps, and is kept in " +
                                       kept + "\n");
    EXPECT_EQ(clones.mini.text_of(file), clones.next_exercise("double_it"));
    EXPECT_EQ(clones.mini.text_of(kept), mine);
    EXPECT_EQ(clones.update().out, "There is no newer version.\n");
}

TEST(runner_update, a_function_that_is_given_now_is_named_though_nothing_else_was_written) {
    const Clones clones;
    clones.mini.solve("double_it");
    clones.publish_given_function();
    EXPECT_TRUE(
        contains(clones.update().out,
                 "double_it could not be put into a gap; yours is in .tutorial/update/1/exercises\n"));
    EXPECT_EQ(clones.mini.text_of("exercises/00_little/double_it.cpp"), clones.next_exercise("double_it"));
    EXPECT_EQ(clones.update().out, "There is no newer version.\n");
}

TEST(runner_update, goes_on_to_the_pull_where_a_file_of_an_earlier_step_changes_nothing) {
    const Clones clones;
    clones.mini.solve("double_it");
    const std::string mine = clones.mini.text_of("exercises/00_little/double_it.cpp");
    clones.publish_given();
    clones.pull_and_copy("double_it", mine);
    clones.publish_news();
    const std::string kept = ".tutorial/update/1/exercises/00_little/double_it.cpp";
    EXPECT_EQ(clones.update().out, "double_it is no step any more; your file is kept in " + kept +
                                       "\nThis is the new version now (1 new commit).\n");
    EXPECT_EQ(clones.mini.text_of(kept), mine);
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

TEST(runner_update, two_updates_in_a_row_keep_a_merged_step) {
    const Clones clones;
    clones.mini.solve("double_it");
    clones.mini.solve("halve_it");
    ASSERT_EQ(clones.mini.run({"check"}).code, 0);
    clones.publish_merged();
    ASSERT_EQ(clones.update().code, 0);
    const std::string mine = clones.mini.text_of("exercises/00_little/both_ways.cpp");
    clones.publish_news();
    EXPECT_EQ(clones.update().code, 0);
    EXPECT_EQ(clones.mini.text_of("exercises/00_little/both_ways.cpp"), mine);
    EXPECT_TRUE(contains(clones.mini.run({}).out, "1 of 1"));
}

TEST(runner_update, where_git_fails_before_it_begins_later_work_is_safe) {
    const Clones clones;
    clones.mini.solve("double_it");
    clones.publish_merged();
    const fs::path index_lock = clones.mini.root() / ".git/index.lock";
    steps::write_text(index_lock, "");
    EXPECT_EQ(clones.update().code, 2);
    fs::remove(index_lock);
    clones.mini.write("double_it", "    return x + x;  // of a later day");
    EXPECT_EQ(clones.update().code, 0);
    EXPECT_TRUE(contains(clones.mini.text_of("exercises/00_little/both_ways.cpp"), "of a later day"));
}

TEST(runner_update, an_update_that_was_killed_gives_the_work_back) {
    const Clones clones;
    clones.mini.solve("double_it");
    const std::string mine = clones.mini.text_of("exercises/00_little/double_it.cpp");
    clones.publish_merged();
    const std::string pending = ".tutorial/update/pending";
    const Result head =
        clones.mini.start_program({"/usr/bin/env", "git", "rev-parse", "HEAD"}, as_somebody).finish();
    for (const auto& [file, text] :
         std::map<std::string, std::string>{{".tutorial/update/1/exercises/00_little/double_it.cpp", mine},
                                            {".tutorial/update/1/passed.txt", ""},
                                            {pending, ".tutorial/update/1\n" + head.out}})
        steps::write_text(clones.mini.root() / file, text);
    clones.git(clones.mini.root(), {"checkout", "HEAD", "--", "exercises"});
    EXPECT_TRUE(contains(clones.mini.run({}).out, "An update is not finished: ./tutorial update ends it.\n"));
    EXPECT_TRUE(contains(clones.update().out, "0.1 both_ways has your double_it; still open: halve_it\n"));
    EXPECT_EQ(clones.mini.text_of(pending), "");
}

TEST(runner_update, a_file_of_an_earlier_step_does_not_overwrite_newer_work) {
    const Clones clones;
    clones.mini.solve("double_it");
    const std::string old = clones.mini.text_of("exercises/00_little/double_it.cpp");
    clones.publish_merged();
    ASSERT_EQ(clones.update().code, 0);
    const fs::path both = clones.mini.exercise("both_ways");
    steps::write_text(both, steps::read_text(both) + "// days of work\n");
    steps::write_text(clones.mini.exercise("double_it"), old);
    EXPECT_EQ(clones.update().code, 0);
    EXPECT_TRUE(contains(steps::read_text(both), "// days of work"));
    EXPECT_FALSE(fs::exists(clones.mini.exercise("double_it")));
}

TEST(runner_update, files_of_hers_that_are_no_steps_stay) {
    const Clones clones;
    const fs::path own = clones.mini.root() / "exercises/00_little/mine.hpp";
    steps::write_text(own, "// committed\n");
    clones.commit(clones.mini.root());
    steps::write_text(own, "// and changed\n");
    clones.mini.solve("double_it");
    clones.publish_merged();
    EXPECT_EQ(clones.update().code, 0);
    EXPECT_EQ(steps::read_text(own), "// and changed\n");
}

TEST(runner_update, waits_for_a_merge_that_is_not_finished) {
    const Clones clones;
    clones.publish_merged();
    steps::write_text(clones.mini.root() / "own.txt", "mine\n");
    clones.commit(clones.mini.root());
    clones.git(clones.mini.root(), {"fetch", "-q"});
    clones.git(clones.mini.root(), {"merge", "-q", "--no-commit", "--no-ff", "origin/main"});
    const Result told = clones.update();
    EXPECT_EQ(told.code, 2);
    EXPECT_TRUE(contains(told.err, "a merge or a rebase is not finished"));
}

TEST(runner_update, without_git_says_what_to_do) {
    const MiniTutorial mini("no_git");
    const Result told = mini.run({"update"});
    EXPECT_EQ(told.code, 2);
    EXPECT_TRUE(
        contains(told.err, "this folder is no git clone; copy your folders exercises/ and .tutorial/"));
}

}  // namespace tfs::tools_test
