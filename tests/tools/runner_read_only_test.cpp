// tests/tools/runner_read_only_test.cpp · a tutorial in a folder that is not the learner's
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/tools/mini_tutorial.hpp"
#include "tests/tools/text_checks.hpp"

namespace tfs::tools_test {

namespace {

// The runner as a user who may read and not write. A copy of it is run: its own folder may be closed to that user.
class ReadOnlyTutorial {
  public:
    ReadOnlyTutorial() {
        fs::copy_file(TFS_TUTORIAL_RUNNER, runner());
        if (::geteuid() != 0) permit(fs::perm_options::remove);
    }
    ~ReadOnlyTutorial() {
        if (::geteuid() != 0) permit(fs::perm_options::add);
    }
    ReadOnlyTutorial(const ReadOnlyTutorial&) = delete;
    ReadOnlyTutorial& operator=(const ReadOnlyTutorial&) = delete;

    Result run(const std::vector<std::string>& words) const {
        std::vector<std::string> all = {runner().string(), "--root=" + mini.root().string(),
                                        "--caller=" + mini.root().string()};
        all.insert(all.end(), words.begin(), words.end());
        return mini.start_program(all, {.as_nobody = true}).finish();
    }

    const MiniTutorial mini;

  private:
    fs::path runner() const { return mini.root().parent_path() / "runner"; }

    void permit(fs::perm_options change) const {
        const fs::perms writing = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
        fs::permissions(mini.root(), writing, change);
        for (const auto& entry : fs::recursive_directory_iterator(mini.root()))
            fs::permissions(entry.path(), writing, change);
    }
};

}  // namespace

TEST(runner_read_only, looking_works_and_leaves_nothing) {
    const ReadOnlyTutorial tutorial;
    const auto before = tree_of(tutorial.mini.root());
    const Result table = tutorial.run({});
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_TRUE(contains(table.out, "0 of 2  0.1 double_it: not started\n"));
    EXPECT_EQ(tutorial.run({"--help"}).code, 0);
    EXPECT_EQ(tutorial.run({"--version"}).code, 0);
    EXPECT_EQ(tutorial.run({"diff", "0.1", "--yes"}).code, 0);
    EXPECT_EQ(tree_of(tutorial.mini.root()), before);
}

TEST(runner_read_only, hints_are_given_though_they_cant_be_counted) {
    const ReadOnlyTutorial tutorial;
    const Result told = tutorial.run({"hint", "0.1"});
    EXPECT_EQ(told.code, 0) << told.err;
    EXPECT_TRUE(contains(told.out, "hint 1 of 3\n    Twice something is the thing plus itself.\n"));
    EXPECT_TRUE(contains(told.out, "All hints of the chapter are in chapters/00_little/hints.md\n"));
}

TEST(runner_read_only, what_has_to_write_says_in_one_sentence_why_it_cant) {
    const ReadOnlyTutorial tutorial;
    const std::string folder = (tutorial.mini.root() / ".tutorial").string();
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"check", "0.1"}, {"reset", "0.1"}, {"run", "0"}, {"test"}, {"bench"}}) {
        const Result told = tutorial.run(words);
        EXPECT_EQ(told.code, 2);
        EXPECT_EQ(told.out, "");
        EXPECT_EQ(told.err, "tutorial: cannot write to " + folder + "; is the folder yours?\n");
    }
}

}  // namespace tfs::tools_test
