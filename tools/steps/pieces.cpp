// tools/steps/pieces.cpp · a step's file taken apart into its functions
#include "tools/steps/pieces.hpp"

#include <algorithm>

#include "tools/steps/gaps.hpp"

namespace tfs::steps {

namespace {

// The function that begins in this line; empty where none does.
std::string name_in(const std::string& line) {
    for (const std::string_view word :
         {"namespace", "using", "struct", "class", "enum", "template", "static_assert"})
        if (line.starts_with(word)) return {};
    const auto [name, open] = function_name(line);
    return line.find('=') < open && name.find("operator") == std::string::npos ? "" : name;
}

// Whether a line ends all that it opens, and the last of it is a body: "    : x(1), y{2} {}", but not "    : x(1), y{2}".
bool ends_body(const std::string& code) {
    int depth = 0;
    bool body = false;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i] == '{' && depth++ == 0) body = i > 0 && code[i - 1] == ' ';
        if (code[i] == '}') --depth;
    }
    return depth == 0 && body && code.ends_with('}');
}

// Where the function ends that begins in line `first`: behind a line "}" at the left margin, or behind a line, of those that open
// no body for the following ones, that is all of it or its last; or behind a declaration.
std::size_t end_of_function(const Lines& lines, std::size_t first) {
    bool body = false, open = false;
    for (std::size_t i = first; i < lines.size(); ++i) {
        const std::string code(trimmed(std::string_view(lines[i]).substr(0, lines[i].find("//"))));
        body = body || code.find('{') != std::string::npos;
        if ((i > first && code.starts_with('}') && lines[i].starts_with('}')) ||
            (i == first && code.ends_with('}')) || (!open && ends_body(code)) ||
            (!body && code.ends_with(';')))
            return i + 1;
        open = open || std::count(code.begin(), code.end(), '{') > std::count(code.begin(), code.end(), '}');
    }
    return lines.size();
}

}  // namespace

std::vector<Piece> pieces_of(const std::string& text) {
    std::vector<Piece> pieces;
    const Lines lines = split_lines(text);
    for (std::size_t i = 0; i < lines.size();) {
        Piece piece{name_in(lines[i]), {}};
        const std::size_t first = i;
        i = piece.name.empty() ? i + 1 : end_of_function(lines, first);
        piece.lines.assign(lines.begin() + static_cast<std::ptrdiff_t>(first),
                           lines.begin() + static_cast<std::ptrdiff_t>(i));
        if (!piece.name.empty() || pieces.empty() || !pieces.back().name.empty())
            pieces.push_back(piece);
        else
            pieces.back().lines.push_back(lines[first]);
    }
    return pieces;
}

}  // namespace tfs::steps
