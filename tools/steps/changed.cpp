// tools/steps/changed.cpp · a learner's file beside the exercise as it is in this version
#include "tools/steps/changed.hpp"

#include <algorithm>

#include "tools/steps/gaps.hpp"

namespace tfs::steps {

bool is_hers(const Piece& function) {
    return std::any_of(function.lines.begin(), function.lines.end(), [](const std::string& line) {
        return throws_not_implemented(line) != std::string::npos || trimmed(line).starts_with("// TODO ");
    });
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

std::vector<Changed> changed_functions(const std::string& learners, const std::string& exercise) {
    const std::vector<Piece> written = pieces_of(learners), stub = pieces_of(exercise);
    const auto is_in = [](const std::vector<Piece>& pieces, const Piece& wanted) {
        return std::any_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
            return piece.name == wanted.name && piece.types == wanted.types;
        });
    };
    std::vector<Changed> changed;
    for (const Piece& now : stub) {
        if (now.name.empty() || is_in(written, now)) continue;
        const auto hers = std::find_if(written.begin(), written.end(), [&](const Piece& piece) {
            return piece.name == now.name && !is_in(stub, piece);
        });
        if (hers != written.end()) changed.push_back({now, *hers});
    }
    return changed;
}

std::vector<OtherLines> other_given_lines(const std::string& learners, const std::string& exercise) {
    const std::vector<Piece> stub = pieces_of(exercise);
    std::vector<OtherLines> others;
    std::size_t first = 1;
    for (const Piece& hers : pieces_of(learners)) {
        const std::size_t last = first + hers.lines.size() - 1;
        for (const Piece& now : stub)
            if (!now.name.empty() && now.name == hers.name && now.types == hers.types &&
                now.lines != hers.lines && !is_hers(now))
                others.push_back({now, first, last});
        first = last + 1;
    }
    return others;
}

Lines under_head(const Piece& now, const Piece& hers) {
    Lines lines = now.head;
    const std::size_t last = hers.head.size() - 1;
    lines.back() += hers.lines[last].substr(hers.head[last].size());
    lines.insert(lines.end(), hers.lines.begin() + static_cast<std::ptrdiff_t>(last) + 1, hers.lines.end());
    return lines;
}

}  // namespace tfs::steps
