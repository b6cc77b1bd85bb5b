// tests/common/program_serve_test.cpp · a program that stays alive: what it answers, whatever a section does
#include "common/program/serve.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <utility>

#include "common/base/errors.hpp"

namespace tfs::test {
namespace {

const CountOption count_option{"--count", 3, 1, 9, "how many"};
const TextOption file_option = options::file("--save", "a file");

Report report_saying(const std::string& text) {
    Report report;
    report.note(text);
    return report;
}

// Sections that do what a learner's step may do.
Chapter strange_sections() {
    const auto section = [](const std::string& id, std::function<Report(const Request&)> run) {
        return Section{.id = id,
                       .title = id + " {count}",
                       .options = {count_option, file_option},
                       .run = std::move(run)};
    };
    Section steps = section("steps", [](const Request&) { return report_saying("all at once"); });
    steps.open = [](const Request& request) {
        auto taken = std::make_shared<std::size_t>(0);
        if (request[count_option] == 9) throw ValueError("9 steps can't be taken");
        return Session{[taken](const Request& asked) {
            *taken += asked[count_option];
            if (*taken > 20) std::abort();
            return report_saying("taken: " + std::to_string(*taken));
        }};
    };
    return {.name = "99_test",
            .description = "What a step may do.",
            .sections = {
                section("says",
                        [](const Request& request) {
                            request.tell({"progress", "half", {{"step", 1.0}}});
                            return report_saying("count " + std::to_string(request[count_option]));
                        }),
                section("prints",
                        [](const Request&) {
                            std::printf("by printf, ");
                            std::cout << "by cout" << std::endl;
                            std::cerr << "an error\n";
                            return report_saying("printed");
                        }),
                section("floods",
                        [](const Request&) {
                            for (int i = 0; i < 100'000; ++i) std::cout << "a line that fills the pipe\n";
                            return report_saying("flooded");
                        }),
                section("crashes", [](const Request&) -> Report { std::abort(); }),
                section("exits", [](const Request&) -> Report { std::_Exit(7); }),
                section("throws_a_number", [](const Request&) -> Report { throw 1; }),
                section("prints_for_ever",
                        [](const Request&) -> Report {
                            for (;;) std::puts("a line");
                        }),
                section("throws", [](const Request&) -> Report { throw ShapeError("(2) meets (3)"); }),
                section("gap", [](const Request&) -> Report { throw NotImplemented("1.1 attention_loops"); }),
                section("is_large", [](const Request&) { return report_saying(std::string(200'000, 'x')); }),
                section("never_ends",
                        [](const Request&) -> Report {
                            for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                        }),
                steps}};
}

// A serving process, and what it says.
class Served {
  public:
    explicit Served(const ServeLimits& limits = {.workers = 2,
                                                 .waiting = 2,
                                                 .sessions = 2,
                                                 .reply_bytes = 100'000,
                                                 .request_bytes = 4096,
                                                 .printed_bytes = 1000}) {
        std::array<int, 2> in{}, out{};
        EXPECT_EQ(::pipe(in.data()), 0);
        EXPECT_EQ(::pipe(out.data()), 0);
        std::fflush(nullptr);  // what is not yet written would be written twice
        process_ = ::fork();
        if (process_ == 0) {
            ::dup2(in[0], STDIN_FILENO);
            ::dup2(out[1], STDOUT_FILENO);
            for (const int end : {in[0], in[1], out[0], out[1]}) ::close(end);
            serve(strange_sections(), limits);
            std::cout.flush();
            ::_exit(0);
        }
        ::close(in[0]);
        ::close(out[1]);
        to_ = ::fdopen(in[1], "w");
        from_ = ::fdopen(out[0], "r");
    }
    ~Served() {
        if (to_) std::fclose(to_);
        if (from_) std::fclose(from_);
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    Served(const Served&) = delete;
    Served& operator=(const Served&) = delete;

    void send(const std::string& line) {
        std::fputs((line + "\n").c_str(), to_);
        std::fflush(to_);
    }
    Json next() {
        std::string line;
        for (int c = std::fgetc(from_); c != EOF && c != '\n'; c = std::fgetc(from_))
            line += static_cast<char>(c);
        return Json::parse(line);
    }
    Json ask(const std::string& line) {
        send(line);
        return next();
    }
    void stop_reading() { std::fclose(std::exchange(from_, nullptr)); }
    // The end of the input; whether the process then ends by itself, with code 0.
    bool ends() {
        std::fclose(to_);
        to_ = nullptr;
        int status = 0;
        const bool ended = ::waitpid(process_, &status, 0) == process_;
        process_ = 0;
        return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

  private:
    pid_t process_ = -1;
    std::FILE *to_ = nullptr, *from_ = nullptr;
};

std::string text_in(const Json& answer) { return answer["result"]["report"][0]["text"]; }

TEST(serve, answers_with_events_and_a_result) {
    Served served;
    const Json event = served.ask(R"({"id": 7, "section": "says", "options": {"--count": 5}})");
    EXPECT_EQ(event["id"], 7);
    EXPECT_EQ(event["event"]["text"], "half");
    EXPECT_EQ(event["event"]["step"], 1.0);
    const Json result = served.next();
    EXPECT_EQ(result["id"], 7);
    EXPECT_EQ(text_in(result), "count 5");
    EXPECT_EQ(result["result"]["title"], "says 5");
    EXPECT_FALSE(result["result"].contains("html"));
    EXPECT_TRUE(served.ends());
}

TEST(serve, gives_html_where_it_is_asked_for) {
    Served served;
    const Json page = served.ask(R"({"id": "p", "section": "gap", "html": true, "report": false})")["result"];
    EXPECT_TRUE(page.contains("html") && !page.contains("report")) << page;
    const Json result = served.ask(R"({"id": "a", "section": "gap", "html": true})");
    EXPECT_EQ(result["result"]["html"],
              "<p>not started: step 1.1 attention_loops; this section ends here</p>\n")
        << result;
}

TEST(serve, keeps_what_a_step_prints_out_of_its_answers) {
    Served served;
    const Json result = served.ask(R"({"id": 1, "section": "prints"})");
    EXPECT_EQ(text_in(result), "printed");
    const std::string printed = result["printed"];
    for (const char* part : {"by printf", "by cout", "an error"})
        EXPECT_NE(printed.find(part), std::string::npos) << printed;
    const Json flood = served.ask(R"({"id": 2, "section": "floods"})");
    EXPECT_EQ(text_in(flood), "flooded");
    EXPECT_EQ(flood["printed"].get<std::string>().size(), 1000U);
}

TEST(serve, lives_on_after_sections_that_fail) {
    Served served;
    for (const auto& [section, sentence] :
         std::vector<std::pair<std::string, std::string>>{{"crashes", "crashed: Aborted"},
                                                          {"exits", "exit code 7"},
                                                          {"throws", "(2) meets (3)"},
                                                          {"throws_a_number", "an unknown error"},
                                                          {"is_large", "at most 100000"}}) {
        const Json answer = served.ask(R"({"id": 3, "section": ")" + section + "\"}");
        EXPECT_EQ(answer["id"], 3);
        EXPECT_NE(answer["error"].get<std::string>().find(sentence), std::string::npos) << answer;
    }
    EXPECT_EQ(text_in(served.ask(R"({"id": 4, "section": "prints"})")), "printed");
}

TEST(serve, answers_bad_input_with_a_sentence) {
    Served served;
    const std::vector<std::pair<std::string, std::string>> refused = {
        {"hello", "no JSON object"},
        {"[1]", "no JSON object"},
        {R"({"section": "says"})", "needs an \"id\""},
        {R"({"id": 1})", "asks for a section"},
        {R"({"id": 1, "section": "says", "list": true})", "asks for one thing"},
        {R"({"id": 1, "section": "other"})", "no section other; there are: says, prints"},
        {R"({"id": 1, "section": 5})", "\"section\" must be a text"},
        {R"({"id": 1, "section": "says", "option": {}})", "\"option\" is no part of a request"},
        {R"({"id": 1, "section": "says", "options": [1]})", "\"options\" must be an object"},
        {R"({"id": 1, "section": "says", "options": {"--seed": 1}})",
         "no option --seed; it has: --count, --save"},
        {R"({"id": 1, "section": "says", "options": {"--save": "x"}})", "--save names a file"},
        {R"({"id": 1, "section": "says", "options": {"--count": 10}})",
         "--count 10: must be between 1 and 9"},
        {R"({"id": 1, "section": "says", "options": {"--count": -1}})", "--count needs a whole number"},
        {R"({"id": 1, "section": "says", "options": {"--count": "3"}})", "--count needs a whole number"},
        {R"({"id": 1, "open": "says"})", "no steps to go through"},
        {R"({"id": 1, "step": 5})", "no open session 5"},
        {R"({"id": 1, "close": "x"})", "number of a session"},
        {R"({"cancel": 8})", "no such request under way"},
        {R"({"cancel": [8]})", "must be the id of a request"},
        {R"({"cancel": )" + std::string(1000, '[') + std::string(1000, ']') + "}", "brackets in brackets"},
        {R"({"id": 1, "section": "says", "options": {"--count": )" + std::string(1000, '[') +
             std::string(1000, ']') + "}}",
         "brackets in brackets"},
        {"{\"id\": 1, \"" + std::string(9000, 'x') + "\"}", "more than 4096 bytes"}};
    for (const auto& [line, sentence] : refused) {
        const Json answer = served.ask(line);
        EXPECT_NE(answer.value("error", "").find(sentence), std::string::npos)
            << line.substr(0, 80) << answer;
    }
    EXPECT_EQ(text_in(served.ask(R"({"id": 4, "section": "prints"})")), "printed");
}

TEST(serve, ends_what_is_cancelled_and_lets_others_wait_for_a_free_worker) {
    Served served;
    for (const char* id : {"1", "2", "3", "4"})
        served.send(R"({"id": )" + std::string(id) + R"(, "section": "never_ends"})");
    served.send(R"({"id": 5, "section": "prints"})");
    const Json refused = served.next();
    EXPECT_EQ(refused["id"], 5);
    EXPECT_NE(refused["error"].get<std::string>().find("2 requests wait already"), std::string::npos);
    for (const int id : {4, 1, 2, 3}) {  // waiting, at work, at work, then at work as well
        const Json answer = served.ask(R"({"cancel": )" + std::to_string(id) + "}");
        EXPECT_EQ(answer["id"], id);
        EXPECT_EQ(answer["error"], "cancelled");
    }
    EXPECT_EQ(text_in(served.ask(R"({"id": 6, "section": "prints"})")), "printed");
}

TEST(serve, hears_of_a_cancel_beside_a_step_that_prints_for_ever) {
    Served served;
    served.send(R"({"id": 1, "section": "never_ends"})");
    served.send(R"({"id": 2, "section": "prints_for_ever"})");
    EXPECT_EQ(served.ask(R"({"cancel": 2})")["id"], 2);
    EXPECT_EQ(served.ask(R"({"id": 3, "section": "throws_a_number"})")["error"], "an unknown error");
    EXPECT_EQ(served.ask(R"({"cancel": 1})")["error"], "cancelled") << "what fails ends no other";
}

TEST(serve, goes_through_a_session_step_by_step) {
    Served served;
    const Json opened = served.ask(R"({"id": 1, "open": "steps", "options": {"--count": 2}})");
    EXPECT_EQ(opened["result"]["session"], 1) << opened;
    EXPECT_EQ(text_in(served.ask(R"({"id": 2, "step": 1})")), "taken: 2");
    EXPECT_EQ(text_in(served.ask(R"({"id": 3, "step": 1, "options": {"--count": 7}})")), "taken: 9");
    EXPECT_NE(
        served.ask(R"({"id": 4, "step": 1, "options": {"--count": 17}})")["error"].get<std::string>().find(
            "--count 17"),
        std::string::npos);
    EXPECT_EQ(text_in(served.ask(R"({"id": 5, "step": 1})")), "taken: 11")
        << "with the option it was opened with";

    EXPECT_EQ(served.ask(R"({"id": 6, "open": "steps", "options": {"--count": 9}})")["error"],
              "9 steps can't be taken");
    EXPECT_EQ(served.ask(R"({"id": 7, "open": "steps"})")["result"]["session"], 3);
    EXPECT_NE(served.ask(R"({"id": 8, "open": "steps"})")["error"].get<std::string>().find("close one"),
              std::string::npos);
    EXPECT_EQ(served.ask(R"({"id": 9, "close": 3})")["id"], 9);
    EXPECT_NE(served.ask(R"({"id": 10, "step": 3})")["error"].get<std::string>().find("no open session 3"),
              std::string::npos);

    const Json crashed = served.ask(R"({"id": 11, "step": 1, "options": {"--count": 9}})");
    EXPECT_EQ(text_in(crashed), "taken: 20");
    EXPECT_NE(served.ask(R"({"id": 12, "step": 1})")["error"].get<std::string>().find("crashed"),
              std::string::npos);
    EXPECT_NE(served.ask(R"({"id": 13, "step": 1})")["error"].get<std::string>().find("no open session 1"),
              std::string::npos);
    EXPECT_TRUE(served.ends());
}

TEST(serve, ends_when_nobody_reads_its_answers) {
    Served served;
    served.send(R"({"id": 1, "section": "never_ends"})");
    served.stop_reading();
    EXPECT_TRUE(served.ends());
}

TEST(serve, lists_sections_and_options) {
    Served served;
    const Json list = served.ask(R"({"id": 1, "list": true})")["result"];
    EXPECT_EQ(list["chapter"], "99_test");
    EXPECT_EQ(list["sections"].back()["id"], "steps");
    EXPECT_EQ(list["sections"].back()["session"], true);
    EXPECT_EQ(list["options"][0]["flag"], "--count");
    EXPECT_EQ(list["options"][0]["high"], 9);
}

}  // namespace
}  // namespace tfs::test
