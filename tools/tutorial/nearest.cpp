// tools/tutorial/nearest.cpp · what a mistyped word was meant to be
#include "tools/tutorial/nearest.hpp"

#include <algorithm>

namespace tfs::tutorial {

namespace {

// How many insertions, deletions, replacements and swaps of neighbours lead from a to b (Damerau and Levenshtein).
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

}  // namespace

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
    if (word.size() > 100) return "";
    std::size_t best = word.size() > 4 ? 3 : 2;  // this far is not near any more
    std::string found;
    for (const std::string& candidate : candidates) {
        const std::size_t far = distance(word, candidate);
        if (far >= best) continue;
        best = far;
        found = candidate;
    }
    return found.empty() ? "" : " Did you mean " + found + "?";
}

}  // namespace tfs::tutorial
