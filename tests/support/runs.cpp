// tests/support/runs.cpp · a step's kept answers, run in processes of their own
#include "tests/support/runs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>

#include "common/base/parallel.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/checklist.hpp"

namespace tfs::test {

namespace {

std::multimap<std::string, void (*)()>& makers() {
    static std::multimap<std::string, void (*)()> all;
    return all;
}

struct Process {
    Run* run;
    pid_t id;
    std::FILE *events, *errors;
};

[[noreturn]] void run_tests(const Run& run, int to) {
    Answers::of(run.step)->choose(run.answer);
    GTEST_FLAG_SET(filter, run.filter);
    const rlimit seconds{run.seconds, RLIM_INFINITY};
    ::setrlimit(RLIMIT_CPU, &seconds);
    ::alarm(10 * run.seconds);  // for an answer that waits
    collect(verdict::Channel(to));
    [[maybe_unused]] const int failures = RUN_ALL_TESTS();
    ::_exit(0);  // buffers and destructors are the parent's
}

Process start(Run& run) {
    Process process{&run, 0, std::tmpfile(), std::tmpfile()};
    if (process.events == nullptr || process.errors == nullptr)
        throw std::runtime_error("no temporary file could be made");
    std::fflush(nullptr);
    process.id = ::fork();
    if (process.id < 0) throw std::runtime_error("no process could be made");
    if (process.id == 0) {
        ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);  // a wrong answer may print what it likes
        ::dup2(::fileno(process.errors), STDERR_FILENO);
        run_tests(run, ::fileno(process.events));
    }
    return process;
}

std::string read_all(std::FILE* file) {
    std::rewind(file);
    std::string text;
    char buffer[1 << 16];
    for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, file)) > 0;)
        text.append(buffer, count);
    std::fclose(file);
    return text;
}

verdict::Ending ending_of(int status, unsigned seconds) {
    using Kind = verdict::Ending::Kind;
    if (WIFEXITED(status)) return {Kind::exit, WEXITSTATUS(status), {}};
    if (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU)
        return {Kind::time_limit, static_cast<int>(seconds), {}};
    return {Kind::signal, WTERMSIG(status), {}};
}

void finish(const Process& process, int status) {
    verdict::Ending ending = ending_of(status, process.run->seconds);
    ending.errors = read_all(process.errors);
    process.run->events = read_all(process.events) + verdict::event_of(ending);
    process.run->record = verdict::read_record(process.run->events);
    process.run->record.ending.errors = ending.errors;
}

void prepare(const std::string& step) {
    const Threads one(1);  // a process that is forked would wait for threads that it does not have
    for (const auto& [of, make] : makers())
        if (of.empty() || of == step) make();
}

}  // namespace

Prepared::Prepared(const std::string& step, void (*make)()) { makers().emplace(step, make); }

void run_answers(std::vector<Run>& runs, unsigned at_once) {
    if (!runs.empty()) prepare(runs.front().step);
    std::vector<Process> processes;
    for (std::size_t next = 0; next < runs.size() || !processes.empty();) {
        if (next < runs.size() && processes.size() < at_once) {
            processes.push_back(start(runs[next++]));
            continue;
        }
        int status = 0;
        const pid_t ended = ::waitpid(-1, &status, 0);
        const auto process = std::find_if(processes.begin(), processes.end(),
                                          [&](const Process& other) { return other.id == ended; });
        if (process == processes.end()) continue;
        finish(*process, status);
        processes.erase(process);
    }
}

}  // namespace tfs::test
