// tests/tools/runner_interrupt_test.cpp · Ctrl-C, and two commands at once
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "tests/tools/mini_tutorial.hpp"
#include "tools/steps/text.hpp"

namespace tfs::tools_test {

using testing::HasSubstr;

namespace {

// A step whose compilation does not end: it includes a pipe that nobody writes to.
class EndlessCompilation {
  public:
    explicit EndlessCompilation(const MiniTutorial& mini) : pipe_(mini.root() / "endless") {
        if (::mkfifo(pipe_.c_str(), 0666) != 0) ADD_FAILURE() << "no pipe could be made";
        mini.write("double_it", "    return x;", "#include \"" + pipe_.string() + "\"");
    }
    ~EndlessCompilation() {
        if (writer_ >= 0) ::close(writer_);
        fs::remove(pipe_);
    }
    EndlessCompilation(const EndlessCompilation&) = delete;
    EndlessCompilation& operator=(const EndlessCompilation&) = delete;

    // Waits until the compiler reads: only then can the pipe be opened for writing.
    bool has_begun() {
        return becomes_true([&] {
            writer_ = ::open(pipe_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
            return writer_ >= 0;
        });
    }

  private:
    fs::path pipe_;
    int writer_ = -1;
};

// A step whose check does not end, and the file that says that it runs.
fs::path write_endless_check(const MiniTutorial& mini) {
    const fs::path begun = mini.root() / ".tutorial/begun";
    mini.write("double_it",
               "    fclose(fopen(\"" + begun.string() + "\", \"w\"));\n    while (true) pause();",
               "#include <stdio.h>\n#include <unistd.h>");
    return begun;
}

void expect_next_check_works(const MiniTutorial& mini) {
    mini.solve("double_it");
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
}

}  // namespace

TEST(runner_interrupt, in_the_middle_of_a_build_ends_all_of_it) {
    const MiniTutorial& mini = shared_tutorial();
    for (const auto& [signal, code] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143)}) {
        EndlessCompilation endless(mini);
        Process check = mini.start({"check", "0.1"});
        ASSERT_TRUE(endless.has_begun());
        check.signal(signal);
        const Result told = check.finish();
        EXPECT_EQ(told.code, code);
        EXPECT_EQ(told.out, "");
        EXPECT_THAT(told.err, testing::EndsWith("Interrupted.\n"));
        EXPECT_TRUE(mini.is_quiet());
    }
    expect_next_check_works(mini);
}

TEST(runner_interrupt, by_the_keyboard_does_the_same) {
    const MiniTutorial& mini = shared_tutorial();
    EndlessCompilation endless(mini);
    Process check = mini.start({"check", "0.1"}, {.terminal_columns = 80});
    ASSERT_TRUE(endless.has_begun());
    check.type("\x03");
    const Result told = check.finish();
    EXPECT_EQ(told.code, 130);
    EXPECT_THAT(told.out, testing::EndsWith("Interrupted.\n"));
    EXPECT_TRUE(mini.is_quiet());
}

TEST(runner_interrupt, in_the_middle_of_a_check_ends_it) {
    const MiniTutorial& mini = shared_tutorial();
    const fs::path begun = write_endless_check(mini);
    Process check = mini.start({"check", "0.1"});
    ASSERT_TRUE(becomes_true([&] { return fs::exists(begun); }));
    check.signal(SIGINT);
    const Result told = check.finish();
    EXPECT_EQ(told.code, 130);
    EXPECT_THAT(told.err, testing::EndsWith("Interrupted.\n"));
    EXPECT_TRUE(mini.is_quiet());
    EXPECT_THAT(mini.run({}).out, HasSubstr("0.1 double_it: not checked yet\n"));
    expect_next_check_works(mini);
}

TEST(runner_interrupt, no_endless_loop_outlives_a_runner_that_was_killed) {
    const MiniTutorial& mini = shared_tutorial();
    const fs::path begun = write_endless_check(mini);
    Process check = mini.start({"check", "0.1"});
    ASSERT_TRUE(becomes_true([&] { return fs::exists(begun); }));
    check.signal(SIGKILL);
    EXPECT_EQ(check.finish().code, 137);
    EXPECT_TRUE(mini.is_quiet());
    expect_next_check_works(mini);
}

TEST(runner_interrupt, in_the_middle_of_configuring_leaves_nothing_half_done) {
    const MiniTutorial mini;
    mini.solve("double_it");
    const std::string right = mini.text_of("CMakeLists.txt");
    const fs::path begun = mini.root() / "begun";
    steps::write_text(mini.root() / "CMakeLists.txt",
                      right + "file(TOUCH " + begun.string() + ")\nexecute_process(COMMAND sleep 1000)\n");
    Process check = mini.start({"check", "0.1"});
    ASSERT_TRUE(becomes_true([&] { return fs::exists(begun); }));
    check.signal(SIGINT);
    EXPECT_EQ(check.finish().code, 130);
    EXPECT_TRUE(mini.is_quiet());
    steps::write_text(mini.root() / "CMakeLists.txt", right);
    EXPECT_EQ(mini.run({"check", "0.1"}).code, 0);
}

TEST(runner_at_once, two_checks_of_the_same_step_both_report) {
    const MiniTutorial mini;  // which has to be configured, too
    mini.solve("double_it");
    Process one = mini.start({"check", "0.1"}), other = mini.start({"check", "0.1"});
    for (Process* check : {&one, &other}) {
        const Result told = check->finish();
        EXPECT_EQ(told.code, 0) << told.err;
        EXPECT_THAT(told.out, HasSubstr("passed (2 checks)\n"));
    }
    EXPECT_THAT(mini.run({}).out, HasSubstr("1 of 2  0.2 halve_it: not started\n"));
}

TEST(runner_at_once, checks_of_two_steps_remember_both) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("double_it");
    mini.solve("halve_it");
    Process one = mini.start({"check", "0.1"}), other = mini.start({"check", "0.2"});
    EXPECT_EQ(one.finish().code, 0);
    EXPECT_EQ(other.finish().code, 0);
    EXPECT_THAT(mini.run({}).out, HasSubstr("2 of 2  done\n"));
    for (const auto& [name, text] : memory_of(mini)) EXPECT_EQ(name.find(".part"), std::string::npos) << name;
}

TEST(runner_at_once, a_check_waits_for_the_build_of_another) {
    const MiniTutorial& mini = shared_tutorial();
    mini.solve("halve_it");
    EndlessCompilation endless(mini);
    Process one = mini.start({"check", "0.1"});
    ASSERT_TRUE(endless.has_begun());
    Process other = mini.start({"check", "0.2"});
    EXPECT_TRUE(other.says("waiting for another build\n"));
    one.signal(SIGINT);
    EXPECT_EQ(one.finish().code, 130);
    EXPECT_EQ(other.finish().code, 0);
}

}  // namespace tfs::tools_test
