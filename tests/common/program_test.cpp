// tests/common/program_test.cpp · options, help, and errors in one line
#include "common/program/program.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <vector>

#include "common/base/errors.hpp"
#include "tests/common/captured_run.hpp"

namespace tfs {
namespace {

struct Outcome : test::CapturedRun {
    bool ran = false;
    std::size_t heads = 4;
    std::uint64_t seed = 1;
    double scale = 0.5;
    std::string text = "the cat";
    bool ascii = false;
};

Outcome run_with(
    const std::vector<std::string>& arguments, const std::function<void()>& body = [] {}) {
    Outcome outcome;
    Program program("01_attention", "Attention, from softmax to several heads.");
    program.option("--heads", outcome.heads, "number of heads");
    program.option("--seed", outcome.seed, "seed of the random numbers");
    program.option("--scale", outcome.scale, "scale");
    program.option("--text", outcome.text, "the sentence");
    program.option("--ascii", outcome.ascii, "nothing but ASCII");
    static_cast<test::CapturedRun&>(outcome) = test::captured_run(arguments, [&](int argc, char** argv) {
        return program.run(argc, argv, [&] {
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

TEST(program, reads_its_options) {
    const Outcome outcome = run_with({"--heads", "8", "--seed=18446744073709551615", "--scale", "-1e-3",
                                      "--text", "-a 고양이", "--ascii"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(outcome.ran);
    EXPECT_EQ(outcome.heads, 8U);
    EXPECT_EQ(outcome.seed, 18446744073709551615U);
    EXPECT_EQ(outcome.scale, -1e-3);
    EXPECT_EQ(outcome.text, "-a 고양이");
    EXPECT_TRUE(outcome.ascii);
}

TEST(program, passes_an_empty_text_on) {
    const Outcome outcome = run_with({"--text", ""});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.text, "");
}

TEST(program, shows_defaults_in_the_help) {
    const Outcome outcome = run_with({"--help"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_FALSE(outcome.ran);
    for (const char* part :
         {"Attention, from softmax", "--heads", "=4", "=0.5", "=the cat", "number of heads"}) {
        EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " is not in " << outcome.out;
    }
}

TEST(program, refuses_unknown_arguments) {
    expect_one_line(run_with({"--headz", "4"}), "unknown argument --headz");
    expect_one_line(run_with({"extra"}), "unknown argument extra");
}

TEST(program, refuses_bad_numbers) {
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

TEST(program, shows_no_text_that_a_terminal_would_obey) {
    expect_one_line(run_with({"--head\x1b[2J"}), R"(unknown argument --head\x1b[2J)");
    expect_one_line(run_with({"--heads", "4\u202E"}), R"(not "4\xe2\x80\xae")");
    expect_one_line(run_with({}, [] { throw ValueError("a\x08\u009b2J"); }), R"(a\x08\xc2\x9b2J)");
}

TEST(program, turns_exceptions_into_one_line) {
    expect_one_line(run_with({}, [] { throw ValueError("2 heads don't divide a width of 7"); }),
                    "don't divide");
    expect_one_line(run_with({}, [] { throw std::runtime_error("first\nsecond\n"); }), "first second");
    expect_one_line(run_with({}, [] { throw std::bad_alloc(); }), "not enough memory");
    expect_one_line(run_with({}, [] { throw 3; }), "unknown");
}

}  // namespace
}  // namespace tfs
