// common/program/serve_worker.cpp · processes, pipes, and what is computed at their other end
#include "common/program/serve_worker.hpp"

#include <fcntl.h>
#include <omp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <utility>

#include "common/base/address_sanitizer.hpp"
#include "common/base/errors.hpp"
#include "common/program/run_json.hpp"
#include "common/report/json_number.hpp"
#include "common/report/sinks.hpp"

namespace tfs {

namespace {

// Both ends are closed with it, but for those that are taken.
struct Pipe {
    int read = -1, write = -1;

    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0)
            throw FileError(fmt::format("no pipe can be made ({})", std::strerror(errno)));
        for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
#ifdef F_SETPIPE_SZ
        ::fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);  // an answer at once, not in pieces that both ends wait for
#endif
        read = ends[0], write = ends[1];
    }
    ~Pipe() {
        if (read >= 0) ::close(read);
        if (write >= 0) ::close(write);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    static int taken(int& end) { return std::exchange(end, -1); }
};

void write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;  // nobody reads it any more
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

Json json_of(const Event& event) {
    Json json{{"kind", event.kind}, {"text", event.text}};
    for (const auto& [name, value] : event.numbers) json[name] = json_number(value);
    return json;
}

// What a worker says, one JSON object a line. What its steps printed leaves the C library's buffers before.
class Speaker {
  public:
    Speaker(int descriptor, const ServeLimits& limits) : descriptor_(descriptor), limits_(limits) {}

    // {"KIND":VALUE}, where the value is JSON already: answers have megabytes, and nobody on their way takes them apart.
    void say(const char* kind, const std::string& value) const {
        std::cout.flush();
        std::fflush(nullptr);
        if (value.size() > limits_.reply_bytes)
            return say("error", dumped(fmt::format("the answer has {} bytes; at most {} are sent",
                                                   value.size(), limits_.reply_bytes)));
        write_all(descriptor_, fmt::format("{{\"{}\":{}}}\n", kind, value));
    }

    // The result of a report, or a sentence that says why there is none.
    void answer(const std::string& title, bool as_html, bool as_json,
                const std::function<Report()>& make) const {
        try {
            const Report report = make();
            say("result", fmt::format("{{\"title\":{}{}{}}}", dumped(title),
                                      as_json ? ",\"report\":" + json(report) : "",
                                      as_html ? ",\"html\":" + dumped(html(report)) : ""));
        } catch (const std::bad_alloc&) {
            say("error", dumped("not enough memory"));
        } catch (const std::exception& error) {
            say("error", dumped(error.what()));
        } catch (...) {
            say("error", dumped("an unknown error"));
        }
    }

  private:
    int descriptor_;
    ServeLimits limits_;
};

std::optional<std::string> read_line(int descriptor) {
    std::string line;
    for (char character = 0;;) {
        const ssize_t count = ::read(descriptor, &character, 1);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return std::nullopt;
        if (character == '\n') return line;
        line += character;
    }
}

Request request_for(const Chapter& chapter, const Section& section, const Json& options,
                    const Speaker& speaker) {
    Request request{.section = section.id};
    request.values = values_for(chapter, section, options);
    request.listener = [&speaker](const Event& event) { speaker.say("event", dumped(json_of(event))); };
    return request;
}

// Opens the session, then takes a step for each line.
void run_session(const Chapter& chapter, const Section& section, const ServeRequest& first, int requests,
                 const Speaker& speaker) {
    const Values values = values_for(chapter, section, first.options);
    Session session;
    bool open = false;
    speaker.answer(title_of(section, values), false, true, [&] {
        session = section.open(request_for(chapter, section, first.options, speaker));
        open = true;
        return Report();
    });
    while (open) {
        const std::optional<std::string> line = read_line(requests);
        if (!line) return;
        const Json step = Json::parse(*line);
        speaker.answer(title_of(section, values), step.at("html"), step.at("report"), [&] {
            Json options = Json::object();
            for (const auto& [flag, value] : values)  // a step may change what it was opened with
                options[flag] = std::visit([](const auto& one) { return Json(one); }, value);
            options.update(step.at("options"));
            return session.step(request_for(chapter, section, options, speaker));
        });
    }
}

void limit_memory(std::size_t bytes) {
    if (has_address_sanitizer) return;  // its shadow takes terabytes of addresses
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &limit);
}

// In the new process. An exception that came out of here would unwind the stack of the serving process in its copy: it ends the
// copy instead.
[[noreturn]] void compute(const Chapter& chapter, const ServeRequest& request, int requests,
                          const Speaker& speaker) noexcept {
    const Section& section = section_named(chapter, request.section);
    if (request.kind == ServeRequest::Kind::open) {
        run_session(chapter, section, request, requests, speaker);
    } else {
        Values values = values_for(chapter, section, request.options);
        speaker.answer(title_of(section, values), request.html, request.report, [&] {
            return run_section(section, request_for(chapter, section, request.options, speaker));
        });
    }
    ::_exit(0);
}

// Read at once: a step that prints without end must not keep the server from what else arrives.
constexpr int most_blocks = 16;

void close_if_open(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
}

}  // namespace

ServeWorker::ServeWorker(const Chapter& chapter, const ServeRequest& request, const ServeLimits& limits)
    : id(request.id), limits_(limits) {
    Pipe answers, printed, requests;
    std::cout.flush();
    std::fflush(nullptr);
    [[maybe_unused]] const pid_t server = ::getpid();
    process_ = ::fork();
    if (process_ < 0) throw FileError(fmt::format("no process can be started ({})", std::strerror(errno)));
    if (process_ == 0) {
#ifdef __linux__
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it ends with the serving process
        if (::getppid() != server) ::_exit(0);
#endif
        ::dup2(printed.write, STDOUT_FILENO);
        ::dup2(printed.write, STDERR_FILENO);
        ::close(Pipe::taken(requests.write));
        const int nothing = ::open("/dev/null", O_RDONLY);
        ::dup2(nothing, STDIN_FILENO);
        limit_memory(limits.memory_bytes);
        omp_set_num_threads(limits.threads);
        compute(chapter, request, requests.read, Speaker(answers.write, limits));
    }
    answers_ = Pipe::taken(answers.read), printed_ = Pipe::taken(printed.read),
    requests_ = Pipe::taken(requests.write);
    ::fcntl(answers_, F_SETFL, O_NONBLOCK);
    ::fcntl(printed_, F_SETFL, O_NONBLOCK);
}

ServeWorker::~ServeWorker() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    close_if_open(answers_);
    close_if_open(printed_);
    close_if_open(requests_);
}

void ServeWorker::step(const ServeRequest& request) {
    id = request.id;
    busy = true;
    write_all(
        requests_,
        dumped({{"options", request.options}, {"html", request.html}, {"report", request.report}}) + "\n");
}

ServeWorker::Lines ServeWorker::read() {
    Lines result;
    std::array<char, 65536> block{};
    for (int blocks = 0; blocks < most_blocks; ++blocks) {
        const ssize_t count = ::read(answers_, block.data(), block.size());
        if (count < 0 && errno == EINTR) continue;
        if (count == 0) result.ended = true;
        if (count <= 0) break;
        unfinished_.append(block.data(), static_cast<std::size_t>(count));
    }
    for (std::size_t end = unfinished_.find('\n'); end != std::string::npos; end = unfinished_.find('\n')) {
        result.lines.push_back(unfinished_.substr(0, end));
        unfinished_.erase(0, end + 1);
    }
    return result;
}

void ServeWorker::read_printed() {
    std::array<char, 65536> block{};
    for (int blocks = 0; blocks < most_blocks; ++blocks) {
        const ssize_t count = ::read(printed_, block.data(), block.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        const std::size_t room =
            limits_.printed_bytes - std::min(limits_.printed_bytes, printed_text_.size());
        printed_text_.append(block.data(), std::min(room, static_cast<std::size_t>(count)));
    }
}

std::string ServeWorker::take_printed() {
    read_printed();
    return std::exchange(printed_text_, {});
}

std::string ServeWorker::why_it_ended() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    if (WIFSIGNALED(status)) return fmt::format("the section crashed: {}", ::strsignal(WTERMSIG(status)));
    return fmt::format("the section ended the process with exit code {}", WEXITSTATUS(status));
}

}  // namespace tfs
