// tools/tutorial/progress.cpp · how far a build is
#include "tools/tutorial/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "common/terminal/display.hpp"
#include "tools/tutorial/build_log.hpp"

namespace tfs::tutorial {

namespace {

using namespace std::chrono_literals;

// "Building CXX object …/a.dir/solutions/01_attention/softmax.cpp.o" -> "compiling solutions/…/softmax.cpp.o"
std::string in_short(const std::string& edge) {
    constexpr std::string_view compiling = "Building CXX object ";
    if (!edge.starts_with(compiling)) return edge;
    const std::size_t folder = edge.rfind(".dir/");
    return "compiling " +
           (folder == std::string::npos ? edge.substr(compiling.size()) : edge.substr(folder + 5));
}

}  // namespace

void Progress::read(std::string_view output) {
    rest_ += output;
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1)
        show(std::string_view(rest_).substr(begin, end - begin));
    rest_.erase(0, begin);
}

void Progress::show(std::string_view line) {
    const auto status = parse_status(line);
    if (!status || status->what.find("Re-checking globbed") != std::string::npos) return;
    if (terminal_.rewrites) {
        const std::size_t width = std::min<std::size_t>(terminal_.columns.value_or(80), 80);
        const std::string text = fmt::format("[{}/{}] {}", status->done, status->all, in_short(status->what));
        fmt::print(stderr, "\r\x1b[K{}", truncate(text, width - 1));
        std::fflush(stderr);
        drawn_ = true;
        return;
    }
    const auto now = Clock::now();
    const bool first = !said_ && std::atoi(status->all.c_str()) > 5;
    if (!first && (now < begun_ + 10s || now < last_ + 10s)) return;
    fmt::print(stderr, "building: {} of {}\n", status->done, status->all);
    said_ = true;
    last_ = now;
}

void Progress::clear() {
    if (!drawn_) return;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    drawn_ = false;
}

}  // namespace tfs::tutorial
