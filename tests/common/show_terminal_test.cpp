// tests/common/show_terminal_test.cpp · what the terminal can show
#include "common/show/terminal.hpp"

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
using terminal_style_test = Environment;

TEST_F(terminal_style_test, is_ascii_by_flag) {
    EXPECT_TRUE(terminal_style(true).ascii);
    EXPECT_FALSE(terminal_style(false).ascii);
}

TEST_F(terminal_style_test, is_ascii_on_a_dumb_terminal) {
    setenv("TERM", "dumb", 1);
    EXPECT_TRUE(terminal_style(false).ascii);
}

TEST_F(terminal_style_test, is_ascii_in_a_locale_without_utf8) {
    setenv("LANG", "ko_KR.UTF-8", 1);
    EXPECT_FALSE(terminal_style(false).ascii);
    setenv("LC_ALL", "C", 1);  // stronger than LANG
    EXPECT_TRUE(terminal_style(false).ascii);
    setenv("LC_ALL", "en_US.utf8", 1);
    EXPECT_FALSE(terminal_style(false).ascii);
}

TEST_F(terminal_style_test, has_no_colour_where_output_is_no_terminal) {
    testing::internal::CaptureStdout();  // a file
    const TerminalStyle style = terminal_style(false);
    testing::internal::GetCapturedStdout();
    EXPECT_FALSE(style.colour);
}

}  // namespace
}  // namespace tfs
