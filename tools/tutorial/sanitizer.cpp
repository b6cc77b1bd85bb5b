// tools/tutorial/sanitizer.cpp · the words of the sanitizers, for a learner
#include "tools/tutorial/sanitizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tfs::tutorial {

namespace {

struct Kind {
    std::string_view part, in_words;
};

// The first whose part is in the kind is taken.
constexpr std::array<Kind, 26> kinds = {{
    {"heap-buffer-overflow", "an index outside of its array"},
    {"stack-buffer-overflow", "an index outside of an array that is a local variable"},
    {"global-buffer-overflow", "an index outside of a global array"},
    {"container-overflow", "an index outside of a vector"},
    {"dynamic-stack-buffer-overflow", "an index outside of an array that is a local variable"},
    {"heap-use-after-free",
     "a reference or pointer to something that no longer exists: a vector that grew, or a temporary"},
    {"stack-use-after-scope", "a reference to a local variable after the end of its block"},
    {"stack-use-after-return", "a reference to a local variable of a function that returned"},
    {"double-free", "the same memory is released twice"},
    {"attempting free", "memory is released that was never reserved"},
    {"stack-overflow", "a function that calls itself for ever, or too deep"},
    {"SEGV", "an address that is no memory: a null pointer, an empty optional, or an index far outside"},
    {"ABRT", "a failed assertion, or abort()"},
    {"FPE", "an integer divided by 0"},
    {"negative-size-param", "a size that is negative: one unsigned number minus a larger one?"},
    {"allocation-size-too-big", "far too much memory: a negative size becomes a huge one"},
    {"out-of-memory", "far too much memory: a negative size becomes a huge one"},
    {"signed integer overflow", "the result is too large for its type"},
    {"division by zero", "an integer divided by 0"},
    {"null pointer", "a pointer that points to nothing"},
    {"insufficient space", "an index outside of its array"},
    {"misaligned address", "a pointer that points to no object of its type"},
    {"out of bounds", "an index outside of its array"},
    {"shift exponent", "a shift by more bits than the number has"},
    {"outside the range of representable values",
     "a number that does not fit into the integer type it becomes"},
    {"reached the end of a value-returning function", "a function that ends without return"},
}};

std::string in_words(std::string_view kind) {
    for (const Kind& known : kinds)
        if (kind.find(known.part) != std::string_view::npos)
            return fmt::format("Likely cause: {}", known.in_words);
    return {};
}

std::string rest_of_line(const std::string& text, std::size_t begin) {
    return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

// "heap-buffer-overflow on address …" and a later "READ of size 4 at …" -> "heap-buffer-overflow (READ of size 4)"
std::string kind_of_address_error(const std::string& output, std::size_t begin) {
    const std::string said = rest_of_line(output, begin);
    // "attempting double-free on 0x…" is the other way it begins.
    const std::string kind =
        said.substr(0, said.starts_with("attempting ") ? said.find(" on ") : said.find_first_of(" :"));
    for (const std::string access : {"READ", "WRITE"}) {
        const std::size_t at = output.find("\n" + access + " of size ", begin);
        if (at == std::string::npos) continue;
        const std::string line = rest_of_line(output, at + 1);
        return kind + " (" + line.substr(0, line.find(" at ")) + ")";
    }
    return kind;
}

}  // namespace

std::optional<SanitizerFinding> sanitizer_finding(const std::string& output, const steps::Step& step) {
    const std::string address = "ERROR: AddressSanitizer: ", undefined = ": runtime error: ";
    const std::size_t at_address = output.find(address), at_undefined = output.find(undefined);
    const std::size_t at = std::min(at_address, at_undefined);
    if (at == std::string::npos) return {};
    SanitizerFinding finding;
    finding.kind = at == at_address ? kind_of_address_error(output, at + address.size())
                                    : rest_of_line(output, at + undefined.size());
    finding.in_words = in_words(finding.kind);
    // The line of the error itself, or the first call on the way to it that is the learner's.
    const std::string place = step.exercise().string() + ":";
    const std::size_t line_begin = output.rfind('\n', at);
    const std::size_t found = output.find(place, line_begin == std::string::npos ? 0 : line_begin);
    if (found != std::string::npos)
        finding.line = std::strtoul(output.c_str() + found + place.size(), nullptr, 10);
    return finding;
}

steps::Lines shown_finding(const SanitizerFinding& finding, const steps::Step& step) {
    const std::string file = step.exercise().string();
    steps::Lines shown;
    if (finding.line == 0) {
        shown.push_back(fmt::format("    {}, and no line of {} is named", finding.kind, file));
    } else {
        shown.push_back(fmt::format("    {}:{}: {}:", file, finding.line, finding.kind));
        const steps::Lines source = steps::split_lines(steps::read_text(step.exercise()));
        if (finding.line <= source.size())
            shown.push_back(fmt::format("        {}", steps::trimmed(source[finding.line - 1])));
    }
    if (!finding.in_words.empty()) shown.push_back("    " + finding.in_words);
    return shown;
}

}  // namespace tfs::tutorial
