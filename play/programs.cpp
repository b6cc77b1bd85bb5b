// play/programs.cpp · starting, talking, ending
#include "play/programs.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include <fmt/format.h>

namespace tfs::play {

namespace {

constexpr std::size_t most_printed = 64u << 10;  // bytes
constexpr std::size_t most_waiting = 8;          // programs, of all chapters

// Both ends are closed with it, but for those that are taken.
struct Pipe {
    int from = -1, to = -1;

    Pipe() {
        int ends[2];
        if (::pipe(ends) != 0) return;
        from = ends[0];
        to = ends[1];
        for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);  // no other child holds it open
#ifdef F_SETPIPE_SZ
        ::fcntl(from, F_SETPIPE_SZ, 1 << 20);  // an answer at once, not in pieces that both ends wait for
#endif
    }
    ~Pipe() {
        for (const int end : {from, to})
            if (end >= 0) ::close(end);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
};

}  // namespace

std::string in_a_line(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

std::string progress_in(const std::string& printed) {
    const std::string mark = "building: ";
    const std::size_t found = printed.rfind(mark);
    if (found == printed.npos) return {};
    return printed.substr(found + mark.size(), printed.find('\n', found) - found - mark.size());
}

// --- a program

Child::Child(const std::vector<std::string>& words, const std::filesystem::path& folder, Errors errors) {
    Pipe in, out, printed;
    if (in.to < 0 || out.to < 0 || printed.to < 0) return;
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    process_ = ::fork();
    if (process_ == 0) {
        ::setpgid(0, 0);
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::signal(SIGPIPE, SIG_DFL);
        ::dup2(in.from, STDIN_FILENO);
        ::dup2(out.to, STDOUT_FILENO);
        if (errors == Errors::kept) ::dup2(printed.to, STDERR_FILENO);
        if (::chdir(folder.c_str()) == 0) ::execvp(arguments[0], arguments.data());
        ::_exit(127);
    }
    if (process_ < 0) return;
    ::setpgid(process_, process_);  // whichever of the two comes first: end() may be called at once
    input_ = std::exchange(in.to, -1);
    output_ = std::exchange(out.from, -1);
    if (errors == Errors::shown) return;
    errors_ = std::exchange(printed.from, -1);
    ::fcntl(errors_, F_SETFL, O_NONBLOCK);
}

Child::~Child() {
    end();
    close_input();
    if (output_ >= 0) ::close(output_);
    if (errors_ >= 0) ::close(errors_);
}

bool Child::write(std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(input_, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

void Child::close_input() {
    if (input_ >= 0) ::close(std::exchange(input_, -1));
}

bool Child::has_said(std::chrono::milliseconds most) {
    if (output_ < 0) return true;                                              // the end
    std::array<pollfd, 2> ends{{{output_, POLLIN, 0}, {errors_, POLLIN, 0}}};  // -1 is passed over
    (void)::poll(ends.data(), ends.size(), static_cast<int>(most.count()));
    if (ends[1].revents != 0) (void)printed();  // a full pipe would keep it waiting
    return ends[0].revents != 0;
}

std::string Child::read() {
    std::array<char, 65536> block{};
    ssize_t count = 0;
    do count = ::read(output_, block.data(), block.size());
    while (count < 0 && errno == EINTR);
    return {block.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

std::string Child::read_all() {
    close_input();
    std::string text;
    for (std::string block = read(); !block.empty(); block = read()) text += block;
    return text;
}

const std::string& Child::printed() {
    std::array<char, 65536> block{};
    for (int blocks = 0; errors_ >= 0 && blocks < 16; ++blocks) {  // it may print without end
        const ssize_t count = ::read(errors_, block.data(), block.size());
        if (count < 0 && errno == EINTR) continue;
        if (count == 0) ::close(std::exchange(errors_, -1));
        if (count <= 0) break;
        printed_.append(block.data(),
                        std::min(most_printed - printed_.size(), static_cast<std::size_t>(count)));
    }
    return printed_;
}

// Whether it has ended. What it left in its group ends then: a runner that was killed leaves a compiler, or a step without end.
bool Child::take(int options) {
    if (process_ <= 0) return true;
    int status = 0;
    pid_t taken = 0;
    do taken = ::waitpid(process_, &status, options);
    while (taken < 0 && errno == EINTR);
    if (taken == 0) return false;
    ::kill(-std::exchange(process_, -1), SIGKILL);
    code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return true;
}

int Child::wait() {
    (void)take(0);
    return code_;
}

void Child::end() {
    using namespace std::chrono_literals;
    if (process_ <= 0) return;
    ::kill(-process_, SIGTERM);
    for (int i = 0; i < 300; ++i) {
        if (take(WNOHANG)) return;
        std::this_thread::sleep_for(10ms);
    }
    ::kill(-process_, SIGKILL);
    (void)wait();
}

// --- an answer

Answer::Answer(std::unique_ptr<Child> program, const std::vector<std::string>& words)
    : program_(std::move(program)) {
    (void)program_->write(in_a_line(words) + '\n');  // next() notices its end
}

std::optional<Answer::Line> Answer::next(std::chrono::milliseconds most) {
    std::size_t end = unread_.find('\n');
    if (end == unread_.npos) {
        if (!program_->has_said(most)) return std::nullopt;
        const std::string block = program_->read();
        unread_ += block;
        end = unread_.find('\n');
        if (!block.empty() && end == unread_.npos) return std::nullopt;
    }
    std::string line = unread_.substr(0, end);
    if (end != unread_.npos) {
        unread_.erase(0, end + 1);
        if (line.starts_with("{\"event\":")) return Line{line};
    } else {
        const int code = program_->wait();
        line = in_a_line(
            {{"error", code > 128 ? fmt::format("the section crashed: {}", ::strsignal(code - 128))
                                  : fmt::format("the section ended the process with exit code {}", code)}});
    }
    if (const std::string& printed = program_->printed(); !printed.empty())
        line.insert(line.size() - 1, ",\"printed\":" + in_a_line(printed));
    return Line{line, true};
}

// --- programs that wait

std::string Programs::path_of(const std::string& file) const {
    return (root_ / "build/release/bin" / file).string();
}

std::unique_ptr<Child> Programs::started(const std::string& file) const {
    return std::make_unique<Child>(std::vector<std::string>{path_of(file), "--request"}, root_,
                                   Child::Errors::kept);
}

std::unique_ptr<Child> Programs::take(const std::string& file) {
    {
        const std::lock_guard lock(mutex_);
        taken_.push_back(file);
        for (auto one = waiting_.begin(); one != waiting_.end();) {
            if (one->first != file) {
                ++one;
                continue;
            }
            std::unique_ptr<Child> program = std::move(one->second);
            one = waiting_.erase(one);
            using namespace std::chrono_literals;
            if (!program->has_said(0ms)) return program;  // else it was killed meanwhile
        }
    }
    return started(file);
}

void Programs::start_ahead() {
    const std::lock_guard lock(mutex_);
    for (const std::string& file : std::exchange(taken_, {})) {
        if (waiting_.size() == most_waiting) waiting_.pop_front();
        waiting_.emplace_back(file, started(file));
    }
}

void Programs::forget(const std::string& file) {
    const std::lock_guard lock(mutex_);
    waiting_.remove_if([&](const auto& one) { return one.first == file; });
}

std::string Programs::list(const std::string& file) {
    std::string text = Child({path_of(file), "--list", "--json"}, root_).read_all();
    {
        const std::lock_guard lock(mutex_);
        taken_.push_back(file);  // it is asked next
    }
    start_ahead();
    return text;
}

}  // namespace tfs::play
