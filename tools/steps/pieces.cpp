// tools/steps/pieces.cpp · a step's file taken apart into its functions
#include "tools/steps/pieces.hpp"

#include <algorithm>
#include <cctype>

#include "tools/steps/gaps.hpp"

namespace tfs::steps {

namespace {

std::string without_space(const std::string& text) {
    std::string kept;
    for (const char c : text)
        if (c != ' ' && c != '\n' && c != '\t') kept += c;
    return kept;
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':'; }

Lines words_of(const std::string& parameter) {
    Lines words;
    bool inside = false;  // of a name
    for (const char c : parameter) {
        if (is_of_name(c) && inside)
            words.back() += c;
        else if (c != ' ')
            words.emplace_back(1, c);
        inside = is_of_name(c);
    }
    return words;
}

// The type of one parameter, as "const Tensor& q = {}": without its name, its default value, namespaces, and a const that only
// its function sees. Its words in the order of the alphabet: "Tensor const&" is the same.
std::string type_of(const std::string& parameter) {
    Lines words = words_of(parameter.substr(0, parameter.find('=')));
    const auto is_name = [](const std::string& word) { return is_of_name(word[0]) && word != "const"; };
    if (words.size() > 1 && is_name(words.back()) && words[words.size() - 2] != "const") words.pop_back();
    const auto has = [&](const char* word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (!has("&") && !has("*")) words.erase(std::remove(words.begin(), words.end(), "const"), words.end());
    for (std::string& word : words)
        for (const std::string_view space : {"std::", "tfs::"})
            if (word.starts_with(space)) word.erase(0, space.size());
    std::sort(words.begin(), words.end());
    std::string type;
    for (const std::string& word : words) type += word + " ";
    return type;
}

// The types of "(int a, const std::map<int, int>& b)".
Lines types_of(const std::string& parameters) {
    Lines types;
    std::string parameter;
    int depth = 0;
    for (const char c : parameters.substr(1, parameters.size() - 2) + ",") {
        depth += c == '(' || c == '<' || c == '{' ? 1 : c == ')' || c == '>' || c == '}' ? -1 : 0;
        if (c != ',' || depth > 0) {
            parameter += c;
        } else {
            if (!trimmed(parameter).empty()) types.push_back(type_of(parameter));
            parameter.clear();
        }
    }
    return types;
}

// The line from this place up to the "{" that opens the body.
std::string before_body(const std::string& line, std::size_t from) {
    const std::string head = line.substr(0, line.find('{', from));
    return head.substr(0, head.find_last_not_of(' ') + 1);
}

// Name, parameters and head of a function whose first lines these are; no name where they begin none.
Piece signature_of(const Lines& lines, std::size_t first) {
    const std::string& line = lines[first];
    for (const std::string_view word :
         {"namespace", "using", "struct", "class", "enum", "template", "static_assert"})
        if (line.starts_with(word)) return {};
    const auto [name, open] = function_name(line);
    if (name.empty() || (line.find('=') < open && name.find("operator") == std::string::npos)) return {};
    Piece found;
    found.name = name;
    std::string rest;
    int depth = 0;
    for (std::size_t i = first; i < lines.size(); ++i) {
        for (std::size_t at = i == first ? open : 0; at < std::min(lines[i].size(), lines[i].find("//"));
             ++at) {
            rest += lines[i][at];
            depth += lines[i][at] == '(' ? 1 : lines[i][at] == ')' ? -1 : 0;
            if (depth > 0) continue;
            found.parameters = without_space(rest);
            found.types = types_of(rest);
            found.head.push_back(before_body(lines[i], at));
            return found;
        }
        found.head.push_back(lines[i]);
        rest += ' ';
    }
    return {};
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

}  // namespace tfs::steps
