// chapters/09_transformer/program/greedy_text.cpp · what a model writes, always taking the best token
#include "chapters/09_transformer/program/sections.hpp"

#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tfs {

namespace {

// The smallest period with which the last tokens repeat, at least twice over; 0 where they don't.
std::size_t period_of(const std::vector<std::int64_t>& tokens) {
    for (std::size_t period = 1; 2 * period <= tokens.size(); ++period)
        if (std::equal(tokens.end() - static_cast<std::ptrdiff_t>(period), tokens.end(),
                       tokens.end() - static_cast<std::ptrdiff_t>(2 * period)))
            return period;
    return 0;
}

}  // namespace

void show_greedy_text(Show& show, const Transformer& model, const TextIds& text, std::size_t new_tokens) {
    std::ostream& out = show.out;
    const bool both = model.config.architecture == Architecture::encoder_decoder;
    const Ids all = both ? translate_greedy(model, text.ids, TextIds::start, new_tokens, TextIds::end)
                         : generate_greedy(model, text.ids, new_tokens, TextIds::end);
    const std::size_t given = both ? 1 : text.ids.size();
    std::vector<std::int64_t> added(all.begin() + static_cast<std::ptrdiff_t>(given), all.end());
    std::vector<std::string> words;
    for (const std::int64_t id : added) words.push_back(text.words[static_cast<std::size_t>(id)]);
    const std::string line = fmt::format(
        "{} | {}", both ? "<start>" : fmt::format("{}", fmt::join(text.tokens, " ")), fmt::join(words, " "));
    for (const std::string& part : wrap(line, screen_columns - 2)) out << "  " << part << '\n';
    const std::size_t period = period_of(added);
    if (period > 0)
        fmt::print(out, "  it repeats itself with period {}", period);
    else
        out << "  it does not repeat itself yet";
    out << "\n";
}

}  // namespace tfs
