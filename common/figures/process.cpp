// common/figures/process.cpp · running another program in a folder, without a shell and its quoting
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "common/base/errors.hpp"
#include "common/figures/figure_parts.hpp"

namespace tfs {
namespace {

// The two ends of a pipe; closed on exec, so that no other program inherits them.
struct Pipe {
    int read_end = -1, write_end = -1;

    Pipe() {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0)
            throw FileError(std::string("no pipe could be opened: ") + std::strerror(errno));
        read_end = ends[0];
        write_end = ends[1];
        for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
    }
    ~Pipe() {
        close_end(read_end);
        close_end(write_end);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    static void close_end(int& end) {
        if (end >= 0) close(end);
        end = -1;
    }
};

// Everything until all writers have closed their end.
std::string read_all(int end) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (true) {
        const ssize_t got = read(end, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
}

// What stopped the child before it became the other program.
struct StartFailure {
    bool in_folder;  // it could not enter the folder; otherwise it could not start the program
    int error;       // errno
};

// In the child: only calls that are safe between fork and exec. Reports a StartFailure through `failure`.
[[noreturn]] void become(char* const* arguments, const char* folder, int output, int failure) {
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    StartFailure stopped{};
    stopped.in_folder = chdir(folder) != 0;
    if (!stopped.in_folder) execvp(arguments[0], arguments);
    stopped.error = errno;
    [[maybe_unused]] const ssize_t written = write(failure, &stopped, sizeof stopped);
    _exit(127);
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, const std::filesystem::path& folder) {
    // Made before the fork: nothing may be allocated after it.
    std::vector<std::string> texts = arguments;
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    const std::string directory = folder.empty() ? "." : folder.string();

    Pipe output;
    Pipe failure;
    const pid_t child = fork();
    if (child < 0) throw FileError(arguments[0] + " could not be started: " + std::strerror(errno));
    if (child == 0) become(pointers.data(), directory.c_str(), output.write_end, failure.write_end);

    Pipe::close_end(output.write_end);
    Pipe::close_end(failure.write_end);
    ProcessResult result;
    result.output = read_all(output.read_end);
    const std::string stopped = read_all(failure.read_end);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (stopped.size() == sizeof(StartFailure)) {
        StartFailure reason{};
        std::memcpy(&reason, stopped.data(), sizeof reason);
        if (reason.in_folder)
            throw FileError(directory + ": the folder can't be entered (" + std::strerror(reason.error) +
                            ")");
        result.missing = true;
    }
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

}  // namespace tfs
