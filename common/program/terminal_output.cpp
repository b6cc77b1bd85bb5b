// common/program/terminal_output.cpp · each line made harmless, and ASCII where the terminal needs it
#include "common/program/terminal_output.hpp"

#include <algorithm>
#include <cerrno>
#include <ostream>

#include "common/terminal/display.hpp"

namespace tfs {
namespace {

// One line or a part of it, without its end.
std::string shown_line(std::string_view line, Terminal style) {
    std::string text;
    while (!line.empty()) {
        const std::size_t colour = style.colour ? colour_code_length(line) : 0;
        text += line.substr(0, colour);
        line.remove_prefix(colour);
        const std::size_t next = std::min(line.find('\x1b', colour > 0 ? 0 : 1), line.size());
        const std::string part = harmless(line.substr(0, next));
        text += style.ascii ? to_ascii(part) : part;
        line.remove_prefix(next);
    }
    return text;
}

}  // namespace

TerminalOutput::TerminalOutput(std::ostream& out) : out_(out), behind_(out.rdbuf(this)) {}

TerminalOutput::~TerminalOutput() {
    (void)pass_on(waiting_.size());
    out_.rdbuf(behind_);
}

TerminalOutput::int_type TerminalOutput::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const char one = traits_type::to_char_type(character);
    return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

std::streamsize TerminalOutput::xsputn(const char* text, std::streamsize size) {
    waiting_.append(text, static_cast<std::size_t>(size));
    const std::size_t end = waiting_.rfind('\n');
    return end == std::string::npos || pass_on(end + 1) ? size : 0;
}

int TerminalOutput::sync() {
    if (!pass_on(waiting_.size())) return -1;
    errno = 0;
    if (behind_->pubsync() == 0) return 0;
    if (error_ == 0) error_ = errno != 0 ? errno : EIO;
    return -1;
}

bool TerminalOutput::pass_on(std::size_t bytes) {
    std::string text;
    for (std::string_view lines = std::string_view(waiting_).substr(0, bytes); !lines.empty();) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        text += shown_line(lines.substr(0, end), style);
        if (end < lines.size()) text += '\n';
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    waiting_.erase(0, bytes);
    errno = 0;
    const auto size = static_cast<std::streamsize>(text.size());
    if (behind_->sputn(text.data(), size) == size) return true;
    if (error_ == 0) error_ = errno != 0 ? errno : EIO;
    return false;
}

}  // namespace tfs
