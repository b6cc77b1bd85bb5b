// tests/tools/bootstrap_test.cpp · the script ./tutorial, which builds the runner
//
// The runner is compiled twice here, and nothing else: about 20 seconds.
#include <gtest/gtest.h>

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

    fs::last_write_time(mini.root() / "tools/generate.cpp", fs::file_time_type::clock::now());
    const Result third = run();
    EXPECT_EQ(third.code, 0);
    EXPECT_EQ(third.err, building);
    EXPECT_EQ(third.out, first.out);

    steps::write_text(mini.root() / "tools/generate.cpp", "an error\n");
    const Result fourth = run();
    EXPECT_EQ(fourth.code, 2);
    EXPECT_TRUE(contains(fourth.err, "tutorial: the runner could not be built; all it said is in "));
}

}  // namespace tfs::tools_test
