// tests/common/main_function_test.cpp · options, help, and errors in one line
#include "common/program/main_function.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <new>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "common/base/errors.hpp"
#include "common/program/option.hpp"
#include "common/program/terminal_output.hpp"
#include "common/terminal/display.hpp"
#include "tests/common/captured_run.hpp"
#include "tests/common/environment_variable.hpp"
#include "tests/support/refusal.hpp"

namespace tfs {
namespace {

struct Outcome : test::CapturedRun {
    bool ran = false;
};

Outcome run_with(
    const std::vector<std::string>& arguments, const std::function<void()>& body = [] {}) {
    Outcome outcome;
    MainFunction main_function("01_attention", "Attention, from softmax to several heads.");
    std::size_t heads = 4;
    double scale = 0.5;
    main_function.option("--heads", heads, "number of heads");
    main_function.option("--scale", scale, "scale");
    static_cast<test::CapturedRun&>(outcome) = test::captured_run(arguments, [&](int argc, char** argv) {
        return main_function.run(argc, argv, [&] {
            outcome.ran = true;
            body();
        });
    });
    return outcome;
}

void expect_one_line(const Outcome& outcome, const std::string& part) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err.rfind("01_attention: ", 0), 0U) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

TEST(main_function, refuses_unknown_arguments) {
    expect_one_line(run_with({"--headz", "4"}), "unknown argument --headz");
    expect_one_line(run_with({"extra"}), "unknown argument extra");
}

TEST(main_function, refuses_bad_numbers) {
    for (const char* number : {"-1", "4x", "", " 4", "1.5", "+3", "0x10"}) {
        const Outcome outcome = run_with({"--heads", number});
        expect_one_line(outcome, "--heads");
        EXPECT_FALSE(outcome.ran);
    }
    expect_one_line(run_with({"--heads", "99999999999999999999"}), "too large");
    expect_one_line(run_with({"--heads"}), "--heads needs a value");
    for (const char* number : {"nan", "inf", "1e999", "x", ""})
        expect_one_line(run_with({"--scale", number}), "--scale");
}

TEST(main_function, shows_no_text_that_a_terminal_would_obey) {
    expect_one_line(run_with({"--head\x1b[2J"}), R"(unknown argument --head\x1b[2J)");
    expect_one_line(run_with({"--heads", "4\u202E"}), R"(not "4\xe2\x80\xae")");
    expect_one_line(run_with({}, [] { throw ValueError("a\x08\u009b2J"); }), R"(a\x08\xc2\x9b2J)");
}

TEST(main_function, tells_a_path_that_the_system_refuses_in_one_line) {
    const std::string name(300, 'a');
    expect_one_line(run_with({}, [&] { (void)std::filesystem::is_directory(name); }),
                    name + ": File name too long");
}

TEST(main_function, prints_no_text_that_a_terminal_would_obey) {
    const Outcome outcome = run_with({}, [] {
        std::cout << "saved as a\x1b[2J\x1b[31m\u202E" << std::flush << "b\n";
        std::cout << '\x08' << std::string(1, '\0') << '\n';
    });
    EXPECT_EQ(outcome.out, "saved as a\\x1b[2J\\x1b[31m\\xe2\\x80\\xaeb\n\\x08\\x00\n");
}

// A program with --ascii that prints these words.
test::CapturedRun run_printing(const std::vector<std::string>& arguments, const std::string& words) {
    return test::captured_run(arguments, [&](int argc, char** argv) {
        MainFunction main_function("99_test", "One that prints · words.");
        bool ascii = false;
        main_function.ascii_option(ascii);
        return main_function.run(argc, argv, [&] { std::cout << words << '\n'; });
    });
}

TEST(main_function, prints_ascii_only_where_the_flag_or_the_locale_asks_for_it) {
    const test::Variable locale("LC_ALL", "C.UTF-8");
    EXPECT_EQ(run_printing({}, "고양이 · q kᵀ").out, "고양이 · q kᵀ\n");
    EXPECT_EQ(run_printing({"--ascii"}, "고양이 · q kᵀ").out, "?????? - q k^T\n");
    EXPECT_TRUE(is_ascii(run_printing({"--ascii", "고양이"}, "").err));
    EXPECT_TRUE(is_ascii(run_printing({"--ascii", "--help"}, "").out));
    const test::Variable plain("LC_ALL", "C");
    EXPECT_EQ(run_printing({}, "고양이 · q kᵀ").out, "?????? - q k^T\n");
    EXPECT_TRUE(is_ascii(run_printing({"--help"}, "").out));
    EXPECT_TRUE(is_ascii(run_printing({"고양이"}, "").err));
}

// The exit code of the program in a process whose standard output is this file.
int code_with_output_to(const char* file, const std::function<void()>& body) {
    const pid_t child = fork();
    if (child == 0) {
        dup2(open(file, O_WRONLY), STDOUT_FILENO);
        std::string name = "program";
        char* arguments[] = {name.data(), nullptr};
        _exit(MainFunction("99_test", "One that prints.").run(1, arguments, body));
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(main_function, fails_where_standard_output_cant_be_written) {
    for (const std::size_t lines : {1U, 100'000U}) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(code_with_output_to("/dev/full",
                                      [&] {
                                          for (std::size_t i = 0; i < lines; ++i) std::cout << "a line\n";
                                      }),
                  2);
        EXPECT_EQ(testing::internal::GetCapturedStderr(),
                  "99_test: can't write to standard output (No space left on device)\n");
    }
    EXPECT_EQ(code_with_output_to("/dev/full", [] {}), 0) << "nothing was printed";
    EXPECT_EQ(code_with_output_to("/dev/null", [] { std::cout << "a line\n"; }), 0);
}

TEST(terminal_output, lets_the_colours_of_heat_maps_pass_and_nothing_else) {
    const std::string map = "\x1b[48;5;227m\x1b[38;5;16m0.5 \x1b[0m";
    const auto passed = [](const std::string& text, Terminal style) {
        std::ostringstream out;
        {
            TerminalOutput output(out);
            output.style = style;
            out << text;
        }
        return out.str();
    };
    EXPECT_EQ(passed(map, {.colour = true}), map);
    EXPECT_EQ(passed(map, {.colour = true, .ascii = true}), map);
    EXPECT_EQ(passed(map, {}).find('\x1b'), std::string::npos);
    for (const char* other : {"\x1b[31m", "\x1b[2J", "\x1b", "\x1b[48;5;m", "\x1b[48;5;1", "\x1b[38;5;1111m"})
        EXPECT_EQ(passed(other, {.colour = true}).find('\x1b'), std::string::npos) << harmless(other);
    EXPECT_EQ(passed("a\x1b[0m\x1b\x1b[0mb\nc", {.colour = true}), "a\x1b[0m\\x1b\x1b[0mb\nc");
}

TEST(options, refuse_what_does_not_fit_and_say_it) {
    using test::refuses;
    EXPECT_EQ(tokens_of_text("a\x1b[2J \u202Eb", 2), (Tokens{"a\\x1b[2J", "\\xe2\\x80\\xaeb"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { (void)tokens_of_text("a b c", 2); }, {"--text", "3 tokens", "at most 2"}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)tokens_of_text(" ", 1, "--target"); }, {"--target is empty"}));
    require_between("--d-model", 4, 4, 4);
    EXPECT_TRUE(
        refuses<ValueError>([] { require_between("--d-model", 3, 4, 8); }, {"--d-model 3", "4 and 8"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { require_between("--d-model", 9, 4, 8); }, {"--d-model 9", "4 and 8"}));
    require_heads(4, 8);
    EXPECT_TRUE(refuses<ValueError>([] { require_heads(3, 8); }, {"--heads 3", "--d-model 8"}));
    EXPECT_TRUE(refuses<ValueError>([] { require_heads(0, 8); }, {"--heads 0: must be at least 1"}));
}

TEST(main_function, turns_exceptions_into_one_line) {
    expect_one_line(run_with({}, [] { throw ValueError("2 heads don't divide a width of 7"); }),
                    "don't divide");
    expect_one_line(run_with({}, [] { throw std::runtime_error("first\nsecond\n"); }), "first second");
    expect_one_line(run_with({}, [] { throw std::bad_alloc(); }), "not enough memory");
    expect_one_line(run_with({}, [] { throw 3; }), "unknown");
}

}  // namespace
}  // namespace tfs
