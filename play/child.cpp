// play/child.cpp · starting, talking, ending
#include "play/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>

namespace tfs::play {

namespace {

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

Child::Child(const std::vector<std::string>& words, const std::filesystem::path& folder) {
    Pipe in, out;
    if (in.to < 0 || out.to < 0) return;
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
        if (::chdir(folder.c_str()) == 0) ::execvp(arguments[0], arguments.data());
        ::_exit(127);
    }
    if (process_ < 0) return;
    ::setpgid(process_, process_);  // whichever of the two comes first: end() may be called at once
    input_ = std::exchange(in.to, -1);
    output_ = std::exchange(out.from, -1);
}

Child::~Child() {
    end();
    close_input();
    if (output_ >= 0) ::close(output_);
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
    if (output_ < 0) return true;  // the end
    pollfd one{output_, POLLIN, 0};
    return ::poll(&one, 1, static_cast<int>(most.count())) > 0;
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

}  // namespace tfs::play
