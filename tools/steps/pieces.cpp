// tools/steps/pieces.cpp · a step's file taken apart into its functions
#include "tools/steps/pieces.hpp"

#include <algorithm>

#include "tools/steps/gaps.hpp"

namespace tfs::steps {

namespace {

std::string without_space(const std::string& text) {
    std::string kept;
    for (const char c : text)
        if (c != ' ' && c != '\n' && c != '\t') kept += c;
    return kept;
}

// Name and parameters of a function whose first lines these are; no name where they begin none.
Piece signature_of(const Lines& lines, std::size_t first) {
    const std::string& line = lines[first];
    for (const std::string_view word :
         {"namespace", "using", "struct", "class", "enum", "template", "static_assert"})
        if (line.starts_with(word)) return {};
    const auto [name, open] = function_name(line);
    if (name.empty() || (line.find('=') < open && name.find("operator") == std::string::npos)) return {};
    Piece found;
    found.name = name;
    std::string rest = line.substr(open);
    for (std::size_t i = first + 1;; ++i) {
        int depth = 0;
        for (std::size_t at = 0; at < rest.size(); ++at) {
            depth += rest[at] == '(' ? 1 : rest[at] == ')' ? -1 : 0;
            if (depth == 0) {
                found.parameters = without_space(rest.substr(0, at + 1));
                return found;
            }
        }
        if (i == lines.size()) return {};
        rest += lines[i];
    }
}

// Where the function ends that begins in line `first`: behind a line "}" at the left margin, or behind a first line that is all
// of it, or a declaration.
std::size_t end_of_function(const Lines& lines, std::size_t first) {
    bool body = false;
    for (std::size_t i = first; i < lines.size(); ++i) {
        const std::string code(trimmed(std::string_view(lines[i]).substr(0, lines[i].find("//"))));
        body = body || code.find('{') != std::string::npos;
        if (code.starts_with('}') || (i == first && code.ends_with('}')) || (!body && code.ends_with(';')))
            if (i == first || lines[i].starts_with('}') || !body) return i + 1;
    }
    return lines.size();
}

}  // namespace

std::vector<Piece> pieces_of(const std::string& text) {
    std::vector<Piece> pieces;
    const Lines lines = split_lines(text);
    for (std::size_t i = 0; i < lines.size();) {
        Piece piece = signature_of(lines, i);
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

std::vector<Piece> missing_functions(const std::string& learners, const std::string& exercise) {
    const std::vector<Piece> written = pieces_of(learners);
    std::vector<Piece> missing;
    for (const Piece& piece : pieces_of(exercise))
        if (!piece.name.empty() && std::none_of(written.begin(), written.end(),
                                                [&](const Piece& other) { return other.name == piece.name; }))
            missing.push_back(piece);
    return missing;
}

}  // namespace tfs::steps
