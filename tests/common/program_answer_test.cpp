// tests/common/program_answer_test.cpp · --request: what a program answers, whatever a section does
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/io/atomic_file.hpp"
#include "common/program/chapter.hpp"
#include "tests/common/environment.hpp"

namespace tfs::test {
namespace {

using Json = nlohmann::ordered_json;

const CountOption count_option{"--count", 3, 1, 9, "how many"};
const TextOption name_option{"--name", "Anna", "a name"}, file_option = options::file("--save", "a file");

// Sections that do what a learner's step may do.
Chapter strange_sections() {
    const auto section = [](const std::string& id, std::function<Report(const Request&)> run) {
        return Section{id, id + " {count}", std::move(run), {count_option, name_option, file_option}};
    };
    return {
        .name = "99_test",
        .description = "What a step may do.",
        .sections = {section(
                         "says",
                         [](const Request& request) {
                             request.tell({"progress", "half", {{"step", 1.0}}});
                             std::printf("by printf, ");
                             std::cout << "by cout" << std::endl;
                             Report report;
                             report.note(request[name_option]);
                             report.add(SmallMapsFigure{"maps", "maps", {{"one", xt::ones<float>({1, 1})}}});
                             return report;
                         }),
                     section("crashes", [](const Request&) -> Report { std::abort(); }),
                     section("throws a number", [](const Request&) -> Report { throw 1; }),
                     section("throws", [](const Request&) -> Report { throw ShapeError("(2) meets (3)"); }),
                     section("gap", [](const Request&) -> Report { throw NotImplemented("1.1 loops"); })},
        .check = [](const Request& request) {
            if (request[count_option] == 7) throw ValueError("--count 7: bad luck");
        }};
}

struct Answered {
    int status = 0;
    std::vector<Json> lines;
    std::string printed;
};

// What a process answers that reads this input.
Answered answered(const std::string& input) {
    const ScratchFolder folder;
    write_file_atomically(folder / "in", input);
    std::fflush(nullptr);  // what is not yet written would be written twice
    const pid_t process = ::fork();
    if (process == 0) {
        const auto stand = [&](const char* name, const char* manner, std::FILE* stream) {
            if (std::freopen((folder / name).c_str(), manner, stream) == nullptr) ::_exit(3);
        };
        stand("in", "r", stdin);
        stand("out", "w", stdout);
        stand("err", "w", stderr);
        std::array<std::string, 2> words{"99_test", "--request"};
        std::array<char*, 3> arguments{words[0].data(), words[1].data(), nullptr};
        ::_exit(run_program(2, arguments.data(), strange_sections()));
    }
    Answered result;
    ::waitpid(process, &result.status, 0);
    std::ifstream out(folder / "out");
    for (std::string line; std::getline(out, line);) result.lines.push_back(Json::parse(line));
    result.printed = read_file(folder / "err");
    return result;
}

Json last_of(const std::string& input) {
    const Answered result = answered(input + "\n");
    return result.lines.empty() ? Json() : result.lines.back();
}

TEST(answer, has_events_a_report_and_beside_it_what_was_printed) {
    const Answered all = answered(R"(["--section", "says", "--count=2", "--json", "--name", "<b>\u001b"])"
                                  "\n");
    ASSERT_EQ(all.lines.size(), 2U);
    EXPECT_EQ(all.lines[0], Json::parse(R"({"event": {"kind": "progress", "text": "half", "step": 1.0}})"));
    const Json& result = all.lines[1]["result"];
    EXPECT_EQ(result["title"], "says 2");
    EXPECT_EQ(result["report"][0]["text"], "<b>\x1b");
    EXPECT_EQ(result["report"].size(), 1U) << "small maps are in the HTML alone";
    const std::string html = result["html"];
    EXPECT_NE(html.find("<p>&lt;b&gt;␛</p>"), std::string::npos) << html;
    EXPECT_NE(html.find("<g class=\"small-map\""), std::string::npos) << html;
    EXPECT_EQ(all.printed, "by printf, by cout\n");
    EXPECT_EQ(all.status, 0);
    EXPECT_FALSE(last_of(R"(["--section", "says"])")["result"].contains("report"));
}

TEST(answer, is_a_sentence_where_a_section_fails) {
    EXPECT_EQ(last_of(R"(["--section", "throws"])")["error"], "(2) meets (3)");
    EXPECT_EQ(last_of(R"(["--section", "throws a number"])")["error"], "an unknown error");
    const std::string gap = last_of(R"(["--section", "gap"])")["result"]["html"];
    EXPECT_NE(gap.find("this section ends here"), std::string::npos) << gap;
    const Answered crash = answered("[\"--section\", \"crashes\"]\n");
    EXPECT_TRUE(WIFSIGNALED(crash.status) && crash.lines.empty());
    EXPECT_TRUE(answered("").lines.empty()) << "nobody asks any more";
}

TEST(answer, refuses_what_is_no_request) {
    const std::string deep = std::string(100'000, '[');
    const std::vector<std::pair<std::string, std::string>> refused = {
        {"[", "a JSON array of texts"},
        {R"({"section": "says"})", "a JSON array of texts"},
        {R"(["--section", 1])", "a JSON array of texts"},
        {deep, "a JSON array of texts"},
        {deep + std::string(100'000, ']'), "a JSON array of texts"},
        {R"(["--name", "\ud800"])", "a JSON array of texts"},
        {"[]", "names its --section"},
        {R"(["--section", "nothing"])", "no such section"},
        {R"(["--section", "says", "--count", "10"])", "--count 10: must be between 1 and 9"},
        {R"(["--section", "says", "--count", "7"])", "bad luck"},
        {R"(["--section", "says", "--count", "-1"])", "--count: needs a whole number"},
        {R"(["--section", "says", "--heads", "1"])", "unknown argument --heads"},
        {R"(["--section", "says", "--save", "x"])", "--save names a file"}};
    for (const auto& [line, sentence] : refused) {
        const Json answer = last_of(line);
        EXPECT_NE(answer.value("error", "").find(sentence), std::string::npos)
            << line.substr(0, 80) << answer;
    }
}

}  // namespace
}  // namespace tfs::test
