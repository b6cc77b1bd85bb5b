// tools/steps/carry.cpp · what a learner wrote, put into the exercises of another version
#include "tools/steps/carry.hpp"

#include <algorithm>
#include <regex>

#include "tools/steps/changed.hpp"
#include "tools/steps/gaps.hpp"

namespace tfs::steps {

namespace {

std::size_t gaps_in(const Lines& lines) {
    return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
        return throws_not_implemented(line) != std::string::npos;
    }));
}

bool has_gap(const Piece& piece) { return gaps_in(piece.lines) > 0; }

// The same function: of this name with these parameters, or the only one of this name. Null if there is none.
template <class Pieces>
auto same_function(Pieces& pieces, const Piece& wanted) -> decltype(pieces.data()) {
    decltype(pieces.data()) of_name = nullptr;
    int count = 0;
    for (auto& piece : pieces) {
        if (piece.name.empty() || piece.name != wanted.name) continue;
        if (piece.parameters == wanted.parameters) return &piece;
        of_name = &piece;
        ++count;
    }
    return count == 1 ? of_name : nullptr;
}

// Where the gap of a stub's function is: from its task to the line that throws.
struct Gap {
    std::size_t begin = 0, end = 0;  // none if begin == end
};

Gap gap_of(const Lines& lines) {
    std::size_t begin = lines.size();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (trimmed(lines[i]).starts_with("// TODO ")) begin = std::min(begin, i);
        if (throws_not_implemented(lines[i]) != std::string::npos) return {std::min(begin, i), i + 1};
    }
    return {};
}

// What stands in place of the stub's gap, if the lines around it are as in the stub; else nothing.
Lines in_gap(const Lines& written, const Lines& stub) {
    const Gap gap = gap_of(stub);
    const std::size_t after = stub.size() - gap.end;
    if (gaps_in(stub) != 1 || written.size() < gap.begin + after) return {};
    const auto begin = static_cast<std::ptrdiff_t>(gap.begin), end = static_cast<std::ptrdiff_t>(after);
    if (!std::equal(stub.begin(), stub.begin() + begin, written.begin()) ||
        !std::equal(stub.end() - end, stub.end(), written.end() - end))
        return {};
    Lines kept;
    for (auto line = written.begin() + begin; line != written.end() - end; ++line)
        if (!trimmed(*line).starts_with("//") ||  // the new stub has its own task
            std::find(stub.begin() + begin, stub.end() - end, *line) == stub.end() - end)
            kept.push_back(*line);
    return kept;
}

// The new stub's function with what stands in the gap of the old one; nothing where that is not to be found.
Lines filled(const Piece& stub, const Piece& written, const Piece* old_stub) {
    const Lines inside = old_stub ? in_gap(written.lines, old_stub->lines) : Lines{};
    if (inside.empty() || gaps_in(stub.lines) != 1) return {};
    const Gap gap = gap_of(stub.lines);
    Lines lines(stub.lines.begin(), stub.lines.begin() + static_cast<std::ptrdiff_t>(gap.end) - 1);
    lines.insert(lines.end(), inside.begin(), inside.end());
    lines.insert(lines.end(), stub.lines.begin() + static_cast<std::ptrdiff_t>(gap.end), stub.lines.end());
    return lines;
}

// The given lines of a stub's function, however they are broken.
std::string around_gap(const Piece& stub) {
    const Gap gap = gap_of(stub.lines);
    std::string code;
    for (std::size_t i = 0; i < stub.lines.size(); ++i)
        if (i < gap.begin || i >= gap.end)
            for (const char c : stub.lines[i])
                if (c != ' ') code += c;
    return code;
}

bool is_include(const std::string& line) { return line.starts_with("#include"); }

// "TODO 1.3:" and NotImplemented("1.3 self_attention") speak of the step as it is now.
std::string with_names_of(const Step& step, const std::string& text) {
    static const std::regex task(R"(// TODO \d+\.\d+:)"), thrown(R"(throw NotImplemented\("[^"]*"\))");
    const std::string renamed = std::regex_replace(text, task, "// TODO " + step.id() + ":");
    return std::regex_replace(renamed, thrown,
                              "throw NotImplemented(\"" + step.id() + " " + step.name + "\")");
}

bool has_banner(const std::string& text) {
    const Lines lines = split_lines(text);
    return lines.size() > 1 && parse_banner(lines[0]) && lines[1].starts_with("// exercises/");
}

// The text below the first two lines, which are a step's banner and path.
std::string below_banner(const Step& step, const std::string& text) {
    Lines lines = split_lines(text);
    lines.erase(lines.begin(),
                lines.begin() + std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(lines.size())));
    return with_names_of(step, join_lines(lines));
}

struct Merge {
    explicit Merge(const std::string& text) : new_stub(text), stub(pieces_of(text)) {}

    const std::string& new_stub;
    std::vector<Piece> stub;
    Lines includes, helpers;
    Carried carried;
    std::vector<const Piece*> filled_already;

    void take(const Written& part) {
        const std::vector<Piece> written = pieces_of(part.text), old = pieces_of(part.stub);
        Lines known;  // what stands between the functions of the exercise
        for (const Piece& piece : part.stub.empty() ? stub : old)
            if (piece.name.empty()) known.insert(known.end(), piece.lines.begin(), piece.lines.end());
        for (const Piece& piece : written)
            if (piece.name.empty())
                take_between(piece, known);
            else
                take_function(piece, same_function(old, piece));
    }

    // Lines of hers between the functions: includes, and what belongs to helpers.
    void take_between(const Piece& piece, const Lines& known) {
        for (const std::string& line : piece.lines) {
            const bool banner = line.starts_with("// Step ") || line.starts_with("// exercises/");
            if (line.empty() || banner || std::find(known.begin(), known.end(), line) != known.end())
                continue;
            (is_include(line) ? includes : helpers).push_back(line);
            carried.exact = carried.exact && (is_include(line) || line.starts_with("//"));
        }
    }

    // Given lines that she changed have no place, nor has a function that is given now, nor a second version of a function.
    void take_function(const Piece& written, const Piece* old) {
        Piece* const place = same_function(stub, written);
        const bool untouched =
            old ? old->lines == written.lines : has_gap(written) || (place && place->lines == written.lines);
        if (untouched) return;
        const bool twice =
            std::find(filled_already.begin(), filled_already.end(), place) != filled_already.end();
        if (place && !twice && is_hers(*place)) {
            const Lines lines = filled(*place, written, old);
            carried.exact = carried.exact && !lines.empty() && around_gap(*place) == around_gap(*old);
            place->lines = !lines.empty()                  ? lines
                           : place->types == written.types ? written.lines
                                                           : under_head(*place, written);
            filled_already.push_back(place);
            carried.placed.push_back(written.name);
        } else if (place || old) {
            carried.no_place.push_back(written.name);
            carried.exact = carried.exact && !place;  // in another step now, or given
        } else if (std::search(helpers.begin(), helpers.end(), written.lines.begin(), written.lines.end()) ==
                   helpers.end()) {
            helpers.insert(helpers.end(), written.lines.begin(), written.lines.end());
            carried.exact = false;
        }
    }

    std::string text() const {
        Lines lines;
        for (const Piece& piece : stub) lines.insert(lines.end(), piece.lines.begin(), piece.lines.end());
        const auto after_includes = [&] {
            const auto last = std::find_if(lines.rbegin(), lines.rend(), is_include);
            return last.base() == lines.begin()
                       ? lines.begin() + std::min<std::ptrdiff_t>(2, std::ssize(lines))
                       : last.base();
        };
        Lines more;
        for (const std::string& line : includes)
            if (std::find(lines.begin(), lines.end(), line) == lines.end()) more.push_back(line);
        lines.insert(after_includes(), more.begin(), more.end());
        if (!helpers.empty()) {
            const auto opens = std::find(lines.begin(), lines.end(), "namespace tfs {");
            auto place = opens == lines.end() ? after_includes() : opens + 1;
            place = lines.insert(place, "");
            lines.insert(place + 1, helpers.begin(), helpers.end());
        }
        return join_lines(lines);
    }
};

}  // namespace

Carried carried_over(const std::vector<Written>& parts, const Step& step, const std::string& stub) {
    Carried carried;
    if (parts.size() == 1 && below_banner(step, parts[0].stub) == below_banner(step, stub)) {
        Lines lines = split_lines(stub);
        lines.resize(2);
        carried.text = has_banner(parts[0].text) ? join_lines(lines) + below_banner(step, parts[0].text)
                                                 : with_names_of(step, parts[0].text);
        for (const Piece& piece : pieces_of(carried.text))
            if (!piece.name.empty()) carried.placed.push_back(piece.name);
    } else {
        Merge merge(stub);
        for (const Written& part : parts) merge.take(part);
        carried = merge.carried;
        carried.text = with_names_of(step, merge.text());
    }
    for (const Piece& piece : pieces_of(carried.text))
        if (has_gap(piece)) carried.open.push_back(piece.name);
    return carried;
}

bool has_gaps(const std::string& text) { return gaps_in(split_lines(text)) > 0; }

bool is_same_exercise(const Step& step, const std::string& text, const std::string& stub) {
    return has_banner(text) && below_banner(step, text) == below_banner(step, stub);
}

}  // namespace tfs::steps
