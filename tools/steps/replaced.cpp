// tools/steps/replaced.cpp · what contracts said in earlier versions, and what to write now
#include "tools/steps/replaced.hpp"

#include <algorithm>
#include <regex>

namespace tfs::steps {

namespace {

Lines split_at(const std::string& text, const std::string& mark) {
    Lines parts;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find(mark, begin)) != std::string::npos; begin = end + mark.size())
        parts.push_back(text.substr(begin, end - begin));
    parts.push_back(text.substr(begin));
    return parts;
}

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Whether the text stands in the code of the line, and not as a part of other words.
bool has_words(const std::string& line, const std::string& words) {
    const std::string code = line.substr(0, line.find("//"));
    for (std::size_t at = code.find(words); at != std::string::npos; at = code.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        const bool begins = at == 0 || !is_of_word(code[at - 1]) || !is_of_word(words.front());
        const bool ends = end == code.size() || !is_of_word(code[end]) || !is_of_word(words.back());
        if (begins && ends) return true;
    }
    return false;
}

bool is_of_step(const Replaced& replaced, const std::string& step) {
    return replaced.steps.empty() ||
           std::find(replaced.steps.begin(), replaced.steps.end(), step) != replaced.steps.end();
}

bool is_because_of(const Fault& fault, const Replaced& replaced) {
    const std::regex said(replaced.said);
    return has_words(fault.line, replaced.text) &&
           std::any_of(fault.said.begin(), fault.said.end(),
                       [&](const std::string& line) { return std::regex_search(line, said); });
}

}  // namespace

std::vector<Replaced> read_replaced(const Tutorial& tutorial) {
    const std::filesystem::path file = tutorial.root / "solutions/earlier_contracts.txt";
    std::vector<Replaced> all;
    if (!std::filesystem::exists(file)) return all;
    for (const std::string& line : split_lines(read_text(file))) {
        if (line.empty() || line.starts_with('#')) continue;
        const Lines parts = split_at(line, " | ");
        if (parts.size() != 4)
            throw Error("solutions/earlier_contracts.txt: this line has not four parts: " + line);
        all.push_back({parts[0] == "*" ? Lines{} : split_at(parts[0], " "), parts[1], parts[2], parts[3]});
    }
    return all;
}

bool holds_replaced(const std::string& text, const std::string& step, const std::vector<Replaced>& all) {
    const Lines lines = split_lines(text);
    return std::any_of(all.begin(), all.end(), [&](const Replaced& replaced) {
        return is_of_step(replaced, step) &&
               std::any_of(lines.begin(), lines.end(),
                           [&](const std::string& line) { return has_words(line, replaced.text); });
    });
}

Lines replaced_in(const std::vector<Fault>& faults, const std::string& step,
                  const std::vector<Replaced>& all) {
    Lines sentences;
    for (const Replaced& replaced : all) {
        const bool is_told = std::find(sentences.begin(), sentences.end(), replaced.now) != sentences.end();
        if (is_of_step(replaced, step) && !is_told &&
            std::any_of(faults.begin(), faults.end(),
                        [&](const Fault& fault) { return is_because_of(fault, replaced); }))
            sentences.push_back(replaced.now);
    }
    return sentences;
}

}  // namespace tfs::steps
