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
#include <stdexcept>
#include <thread>
#include <utility>

namespace tfs::play {

namespace {

struct Pipe {
    int from = -1, to = -1;

    Pipe() {
        int ends[2];
        if (::pipe(ends) != 0) throw std::runtime_error("no pipe could be made");
        from = ends[0];
        to = ends[1];
        for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);  // no other child holds it open
    }
};

}  // namespace

Child::Child(const std::vector<std::string>& words, const std::filesystem::path& folder) {
    const Pipe in, out;
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
    ::close(in.from);
    ::close(out.to);
    input_ = in.to;
    output_ = out.from;
    if (process_ < 0) throw std::runtime_error(words[0] + " could not be started");
}

Child::~Child() {
    end();
    close_input();
    ::close(output_);
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

int Child::wait() {
    if (process_ < 0) return 128 + SIGTERM;  // end() was before
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void Child::end() {
    using namespace std::chrono_literals;
    if (process_ <= 0) return;
    ::kill(-process_, SIGTERM);
    int status = 0;
    for (int i = 0; i < 300; ++i) {
        if (::waitpid(process_, &status, WNOHANG) != 0) {
            ::kill(-process_, SIGKILL);  // what it started
            process_ = -1;
            return;
        }
        std::this_thread::sleep_for(10ms);
    }
    ::kill(-process_, SIGKILL);
    (void)wait();
}

}  // namespace tfs::play
