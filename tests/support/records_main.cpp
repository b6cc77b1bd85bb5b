// tests/support/records_main.cpp · the records of a step's mistakes, with which the runner compares a learner's (tools/verdict/causes.hpp)
//
//   records_01_attention_softmax FOLDER                    FOLDER/wrong_axis, one for each mistake; empties the folder first
//   records_01_attention_softmax FOLDER wrong_axis+epsilon …   adds records of two mistakes at once, in two functions
//
// 0: all are there. 2: bad arguments, or a folder that can't be written to.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/support/answers.hpp"
#include "tests/support/runs.hpp"

namespace tfs::test {
namespace {

constexpr unsigned most_seconds = 4;

void write_records(const std::filesystem::path& folder, const std::vector<std::string>& pairs) {
    std::vector<Run> runs;
    const std::string step = Answers::steps().front();
    for (const std::string& pair : pairs)
        runs.push_back({step, pair, tests_for_mistakes(step), most_seconds});
    for (const std::string& answer : Answers::of(step)->names())
        if (pairs.empty() && answer != "stub" &&
            answer.find(' ') == std::string::npos)  // no mistake: "right in_loops"
            runs.push_back({step, answer, tests_for_mistakes(step), most_seconds});
    run_answers(runs, std::max(1U, std::thread::hardware_concurrency()));
    if (pairs.empty()) std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    for (const Run& run : runs)
        if (!(std::ofstream(folder / run.answer) << run.events).flush())
            throw std::runtime_error("cannot write to " + folder.string());
}

}  // namespace
}  // namespace tfs::test

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    try {
        if (argc < 2) throw std::runtime_error("it takes a folder");
        tfs::test::write_records(argv[1], {argv + 2, argv + argc});
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "records: {}\n", error.what());
        return 2;
    }
}
