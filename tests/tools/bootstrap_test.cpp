// tests/tools/bootstrap_test.cpp · the script ./tutorial, which builds the runner
//
// The runner is compiled twice here, and nothing else: about 20 seconds.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

TEST(bootstrap, the_runner_is_built_at_the_first_command_and_after_a_change_of_its_sources) {
    const MiniTutorial mini("my tutorial");
    const fs::path source = TFS_TOOLS_SOURCE_DIR;
    fs::copy(source / "tools", mini.root() / "tools", fs::copy_options::recursive);
    fs::create_directories(mini.root() / "common");
    fs::copy(source / "common/terminal", mini.root() / "common/terminal");
    fs::copy(source / "tutorial", mini.root() / "tutorial");
    const auto run = [&](const Options& options = {}) {
        return mini.start_program({(mini.root() / "tutorial").string(), "--no-install"}, options).finish();
    };
    const std::string building = "building the runner (once)\n";

    const Result first = run();
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(first.err, building);
    EXPECT_TRUE(contains(first.out, "0 of 2  0.1 double_it: not started\n"));

    const Result second = run({.caller = mini.root() / "chapters"});
    EXPECT_EQ(second.code, 0);
    EXPECT_EQ(second.err, "");
    EXPECT_EQ(second.out, first.out);

    fs::last_write_time(mini.root() / "tools/generate.cpp",
                        fs::file_time_type::clock::now() + std::chrono::hours(1));
    const Result third = run();
    EXPECT_EQ(third.code, 0);
    EXPECT_EQ(third.err, building);
    EXPECT_EQ(third.out, first.out);
    EXPECT_EQ(run().err, "") << "a time in the future is taken back";

    steps::write_text(mini.root() / "tools/generate.cpp", "an error\n");
    const Result fourth = run();
    EXPECT_EQ(fourth.code, 2);
    EXPECT_TRUE(contains(fourth.err, "tutorial: the runner could not be built; all it said is in "));
}

// In these folders CMake fails, or ninja compiles everything at each command, or a program does not find its libraries.
TEST(bootstrap, a_folder_in_which_the_build_does_not_work_is_refused_before_anything_is_built) {
    const TemporaryFolder folder;
    const auto told_in = [&](const std::string& name) {
        const fs::path root = folder.path() / name, runner = root / "build/tools/bin/tutorial_runner";
        for (const char* needed : {"tools", "common/terminal", "build/tools/bin"})
            fs::create_directories(root / needed);
        fs::copy(fs::path(TFS_TOOLS_SOURCE_DIR) / "tutorial", root / "tutorial");
        steps::write_text(runner, "#!/bin/sh\necho the runner\n");
        fs::permissions(runner, fs::perms::owner_all);
        steps::write_text(root / "build/tools/built", "");
        return Process({.words = {(root / "tutorial").string()}, .folder = root}).finish();
    };
    for (const char* name :
         {"two words", " a", "a+(50%)", "a{b}=@~!", "-a", "\u00fc \ud55c\uae00", "in/a row/of folders"})
        EXPECT_EQ(told_in(name).out, "the runner\n") << name;
    EXPECT_EQ(told_in(std::string(200, 'a')).out, "the runner\n");
    for (const std::string character :
         {"'", "\"", "#", "$", "&", "*", ",", ":", ";", "<", ">", "?", "[", "\\", "]", "^", "`", "|"}) {
        const Result told = told_in("a" + character + "b");
        EXPECT_EQ(told.code, 2);
        EXPECT_TRUE(begins_with(told.err, "tutorial: the path of this folder has the character " + character +
                                              ", with which the build does not work: rename the folder "));
        EXPECT_EQ(lines_in(told.err), 1U);
    }
    EXPECT_TRUE(contains(told_in("a\nb").err, "this folder has a control character, "));
    EXPECT_TRUE(contains(told_in("a ").err, "this folder ends in a space, "));
}

}  // namespace tfs::tools_test
