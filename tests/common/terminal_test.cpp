// tests/common/terminal_test.cpp · what the terminal can show
#include "common/terminal/terminal.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace tfs {
namespace {

// Sets environment variables for one test.
class Environment : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* name : names) {
            const char* value = std::getenv(name);
            before_.push_back(value == nullptr ? std::nullopt : std::optional<std::string>(value));
            unsetenv(name);
        }
        setenv("TERM", "xterm-256color", 1);
    }
    void TearDown() override {
        for (std::size_t i = 0; i < before_.size(); ++i) {
            before_[i] ? setenv(names[i], before_[i]->c_str(), 1) : unsetenv(names[i]);
        }
    }

  private:
    static constexpr const char* names[] = {"TERM", "LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR"};
    std::vector<std::optional<std::string>> before_;
};
using this_terminal_test = Environment;

TEST_F(this_terminal_test, is_ascii_by_flag) {
    EXPECT_TRUE(this_terminal(true).ascii);
    EXPECT_FALSE(this_terminal(false).ascii);
}

TEST_F(this_terminal_test, is_ascii_on_a_dumb_terminal) {
    setenv("TERM", "dumb", 1);
    EXPECT_TRUE(this_terminal(false).ascii);
}

TEST_F(this_terminal_test, is_ascii_in_a_locale_without_utf8) {
    setenv("LANG", "ko_KR.UTF-8", 1);
    EXPECT_FALSE(this_terminal(false).ascii);
    setenv("LC_ALL", "C", 1);  // stronger than LANG
    EXPECT_TRUE(this_terminal(false).ascii);
    setenv("LC_ALL", "en_US.utf8", 1);
    EXPECT_FALSE(this_terminal(false).ascii);
}

TEST_F(this_terminal_test, has_no_colour_where_output_is_no_terminal) {
    testing::internal::CaptureStdout();  // a file
    const Terminal style = this_terminal(false);
    testing::internal::GetCapturedStdout();
    EXPECT_FALSE(style.colour);
}

}  // namespace
}  // namespace tfs
