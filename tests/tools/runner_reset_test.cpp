// tests/tools/runner_reset_test.cpp · ./tutorial reset
#include <gtest/gtest.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"
#include "tools/steps/gaps.hpp"

namespace tfs::tools_test {

TEST(runner_reset, brings_the_stub_back_and_keeps_what_was_there) {
    const MiniTutorial& mini = shared_tutorial();
    const std::string stub = steps::read_text(mini.exercise("double_it"));
    mini.solve("double_it");
    const std::string mine = steps::read_text(mini.exercise("double_it"));
    mini.run({"check", "0.1"});
    mini.run({"hint", "0.1"});
    const Result told = mini.run({"reset", "0.1"});
    EXPECT_EQ(told.code, 0);
    EXPECT_EQ(steps::read_text(mini.exercise("double_it")), stub);
    const std::string mark = "Your version is kept in ";
    const std::size_t at = told.out.find(mark);
    ASSERT_NE(at, std::string::npos) << told.out;
    const std::string kept = told.out.substr(at + mark.size(), told.out.find('\n', at) - at - mark.size());
    EXPECT_TRUE(has_match(kept, "^[.]tutorial/backup/00_little/double_it[.][0-9_-]+[.]cpp$"));
    EXPECT_EQ(mini.text_of(kept), mine);
    EXPECT_TRUE(contains(mini.run({"hint", "0.1"}).out, "hint 1 of 3")) << "the hints begin anew";
    EXPECT_TRUE(contains(mini.run({}).out, "0 of 2  0.1 double_it: not started\n"));
    steps::write_text(mini.exercise("double_it"), mini.text_of(kept));
    EXPECT_TRUE(contains(mini.run({}).out, "1 of 2  0.2 ")) << "what passed, and is brought back, passes";
}

TEST(runner_reset, twice_in_a_second_keeps_both) {
    const MiniTutorial& mini = shared_tutorial();
    for (const char* body : {"    return 1;", "    return 2;", "    return 3;"}) {
        mini.write("double_it", body);
        EXPECT_EQ(mini.run({"reset", "0.1"}).code, 0);
    }
    std::string kept;
    for (const auto& [name, text] : memory_of(mini))
        if (name.starts_with("backup/")) kept += text;
    for (const char* body : {"return 1;", "return 2;", "return 3;"}) EXPECT_TRUE(contains(kept, body));
}

TEST(runner_reset, an_untouched_step_has_nothing_to_reset) {
    const MiniTutorial& mini = shared_tutorial();
    const Result told = mini.run({"reset", "0.1"});
    EXPECT_EQ(told.code, 0);
    EXPECT_EQ(told.out,
              "exercises/00_little/double_it.cpp is the untouched stub already: nothing to reset.\n");
    EXPECT_FALSE(fs::exists(mini.root() / ".tutorial/backup/00_little") &&
                 !fs::is_empty(mini.root() / ".tutorial/backup/00_little"));
}

TEST(runner_reset, a_missing_file_comes_back) {
    const MiniTutorial& mini = shared_tutorial();
    const std::string stub = steps::read_text(mini.exercise("double_it"));
    fs::remove_all(mini.root() / "exercises");
    EXPECT_EQ(mini.run({"reset", "double_it"}).out, "exercises/00_little/double_it.cpp is the stub again.\n");
    EXPECT_EQ(steps::read_text(mini.exercise("double_it")), stub);
}

TEST(runner_reset, what_cant_be_kept_is_not_changed) {
    const MiniTutorial mini;
    mini.solve("double_it");
    const std::string mine = steps::read_text(mini.exercise("double_it"));
    steps::write_text(mini.root() / ".tutorial/backup", "a file where a folder is needed\n");
    const Result told = mini.run({"reset", "0.1"});
    EXPECT_EQ(told.code, 2);
    EXPECT_TRUE(
        begins_with(told.err, "tutorial: cannot keep your version in .tutorial/backup/00_little/double_it."));
    EXPECT_EQ(lines_in(told.err), 1U);
    EXPECT_EQ(steps::read_text(mini.exercise("double_it")), mine);
}

}  // namespace tfs::tools_test
