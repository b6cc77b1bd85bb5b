// tests/tools/runner_update_test.cpp · ./tutorial update: a new version; what the learner wrote stays where it is
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

namespace {

const std::string exercise = "exercises/00_little/double_it.cpp", updating = ".tutorial/updating",
                  lesson = "chapters/00_little/README.md";
const Options as_somebody = {.environment = {"GIT_AUTHOR_NAME=somebody", "GIT_AUTHOR_EMAIL=a@b",
                                             "GIT_COMMITTER_NAME=somebody", "GIT_COMMITTER_EMAIL=a@b",
                                             "GIT_CONFIG_GLOBAL=/dev/null"}};
const std::string commit = "git add -A && git commit -q -m version ";

// A learner's clone of a tutorial, and the clone where its next version is made.
struct Clones {
    MiniTutorial mini;
    TemporaryFolder elsewhere;
    fs::path next = elsewhere.path() / "next";

    Clones() {
        const std::string origin = elsewhere.path() / "origin";
        shell(mini.root(), "printf '.tutorial/\nbuild/\n' >.gitignore && git init -q -b main && " + commit +
                               "&& git clone -q --bare . " + origin + " && git remote add origin " + origin +
                               " && git fetch -q && git branch -q -u origin/main && git clone -q " + origin +
                               " " + next.string());
    }
    void shell(const fs::path& folder, const std::string& script) const {
        const Options options{.environment = as_somebody.environment, .caller = folder};
        const Result result = mini.start_program({"/bin/sh", "-c", script}, options).finish();
        ASSERT_EQ(result.code, 0) << result.out << result.err;
    }
    void publish(const std::string& script) const {
        shell(next, script + " && " + commit + "&& git push -q");
    }
    void publish_stub() const { publish("sed -i 's/Twice x/Two x/' */00_little/double_it.cpp"); }
    std::string hers() const { return mini.text_of(exercise); }
    Result update() const { return mini.run({"update"}, as_somebody); }
};

}  // namespace

TEST(runner_update, what_she_wrote_stays_and_untouched_stubs_are_those_of_the_new_version) {
    for (const bool committed : {false, true}) {
        const Clones clones;
        clones.mini.solve("double_it");
        if (committed) clones.shell(clones.mini.root(), commit);
        clones.publish_stub();
        clones.publish("echo '// a new stub' >exercises/00_little/halve_it.cpp");
        EXPECT_EQ(
            clones.update().out,
            "This is the new version now (2 new commits).\nThe exercise of double_it changed; your file "
            "is as you wrote it. ./tutorial check tries it; ./tutorial reset double_it brings the new "
            "stub, and keeps your version in a backup.\n");
        EXPECT_TRUE(contains(clones.hers(), "return 2 * x;"));
        EXPECT_EQ(clones.mini.text_of("exercises/00_little/halve_it.cpp"), "// a new stub\n");
        EXPECT_EQ(clones.update().out, "There is no newer version.\n");
    }
}

TEST(runner_update, the_file_of_a_step_that_is_gone_is_kept) {
    const Clones clones;
    clones.mini.solve("double_it");
    clones.shell(clones.mini.root(), commit);
    clones.mini.write("double_it", "    return x + x;");
    clones.publish("rm solutions/00_little/double_it.cpp " + exercise);
    EXPECT_TRUE(contains(clones.update().out, exercise + " belongs to no step any more. It is kept.\n"));
    EXPECT_TRUE(contains(clones.hers(), "return x + x;"));
}

TEST(runner_update, a_stub_that_only_looks_otherwise_becomes_the_new_one) {
    const Clones clones;
    std::string stub = clones.hers();
    clones.mini.solve("double_it");
    clones.shell(clones.mini.root(), commit);  // and began again
    steps::write_text(clones.mini.exercise("double_it"), stub.replace(stub.find("5 min"), 5, "9 min"));
    clones.publish_stub();
    EXPECT_EQ(clones.update().out, "This is the new version now (1 new commit).\n");
    EXPECT_EQ(clones.hers(), steps::read_text(clones.next / exercise));
}

TEST(runner_update, where_git_can_not_pull_all_is_as_it_was) {
    for (const bool committed : {false, true}) {
        const Clones clones;
        steps::write_text(clones.mini.root() / lesson, "# 0 · More\n");
        if (committed) clones.shell(clones.mini.root(), commit);
        clones.mini.solve("double_it");
        clones.publish("echo '# 0 · Less' >" + lesson);
        const Result told = clones.update();
        EXPECT_EQ(told.code, 2);
        EXPECT_TRUE(contains(told.err, "git can't bring the new version, and your files are as they were;"));
        EXPECT_TRUE(contains(clones.hers(), "return 2 * x;"));
        EXPECT_EQ(clones.mini.text_of(lesson), "# 0 · More\n");
    }
}

TEST(runner_update, one_that_was_killed_is_ended_and_does_not_overwrite_newer_work) {
    const Clones clones;
    for (const char* copy : {"// hers\n", "// of before\n"}) {
        steps::write_text(clones.mini.root() / updating / exercise, copy);
        EXPECT_TRUE(contains(clones.mini.run({}).out, "An update is not finished: ./tutorial update ends"));
        EXPECT_TRUE(begins_with(clones.update().out, "An update was interrupted; what you wrote is in its"));
        EXPECT_EQ(clones.hers(), "// hers\n");
    }
}

TEST(runner_update, says_what_keeps_it_from_pulling) {
    const Clones clones;
    fs::remove_all(clones.elsewhere.path() / "origin");
    EXPECT_TRUE(contains(clones.update().err, "the new version can't be fetched; git says: "));
    clones.shell(clones.mini.root(), "cp .git/refs/heads/main .git/MERGE_HEAD");
    EXPECT_TRUE(contains(clones.update().err, "a merge or a rebase is not finished; end it first"));
    fs::remove_all(clones.mini.root() / ".git");
    EXPECT_TRUE(contains(clones.update().err, "this folder is no git clone; copy your folders exercises/"));
}

}  // namespace tfs::tools_test
