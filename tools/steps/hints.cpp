// tools/steps/hints.cpp · the hints of a step
#include "tools/steps/hints.hpp"

#include <algorithm>

namespace tfs::steps {

namespace {

// Where the text of "2. like this" begins; 0 where the line is no item.
std::size_t item_text(std::string_view line) {
    const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    if (digits == 0 || !line.substr(digits).starts_with(". ")) return 0;
    return std::min(line.find_first_not_of(' ', digits + 1), line.size());
}

}  // namespace

std::vector<std::string> hints_of(const Tutorial& tutorial, const Step& step) {
    std::vector<std::string> hints;
    const std::filesystem::path file = tutorial.root / step.hints();
    if (!std::filesystem::is_regular_file(file)) return hints;
    bool inside = false;
    for (const std::string& line : split_lines(read_text(file))) {
        if (line.starts_with("## ")) {
            inside = trimmed(line.substr(3)) == step.name;
        } else if (const std::size_t text = item_text(line); inside && text > 0) {
            hints.push_back(line.substr(text));
        } else if (inside && !hints.empty()) {
            hints.back() += '\n' + line.substr(std::min<std::size_t>(indentation(line), 3));
        }
    }
    for (std::string& hint : hints) hint.erase(hint.find_last_not_of(" \n") + 1);
    return hints;
}

}  // namespace tfs::steps
