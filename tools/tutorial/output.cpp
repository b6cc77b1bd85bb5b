// tools/tutorial/output.cpp · what a learner's program printed
#include "tools/tutorial/output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/terminal/display.hpp"
#include "tools/verdict/report.hpp"

namespace tfs::tutorial {

namespace {

constexpr std::size_t widest = 400;

std::string safe_line(const std::string& line) { return truncate(harmless(line), widest); }

std::string counted(std::size_t count, const std::string& what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// How many lines follow those that were kept. Where a line was cut, its end is among the lost.
std::size_t lines_after(const Kept& output) {
    const bool cut_in_line = output.lines_lost() > 0 && !output.text().ends_with('\n');
    return output.lines_lost() - (cut_in_line ? 1 : 0);
}

// The check that the program ended in comes first, then those that failed, then the others.
int rank_of(const std::string& check, const verdict::Record& record) {
    for (const verdict::Outcome& test : record.outcomes)
        if (test.name == check) return !test.finished ? 0 : !test.passed ? 1 : 2;
    return 2;
}

std::vector<Printed::Part> in_order(std::vector<Printed::Part> parts, const verdict::Record& record) {
    std::stable_sort(parts.begin(), parts.end(), [&](const Printed::Part& a, const Printed::Part& b) {
        return rank_of(a.check.text(), record) < rank_of(b.check.text(), record);
    });
    return parts;
}

}  // namespace

void Kept::add(std::string_view block) {
    const std::size_t kept = std::min(block.size(), most_ - text_.size());
    text_ += block.substr(0, kept);
    lines_lost_ += static_cast<std::size_t>(
        std::count(block.begin() + static_cast<std::ptrdiff_t>(kept), block.end(), '\n'));
}

void Printed::begin_part() {
    constexpr std::size_t most_parts = 1000, longest_name = 200;  // where a step prints marks of its own
    if (parts_.size() < most_parts) parts_.push_back({Kept(longest_name), Kept(most_)});
}

void Printed::add(std::string_view block) {
    while (!block.empty()) {
        const std::size_t end = std::min(block.find(in_name_ ? '\n' : verdict::mark), block.size());
        Part& part = parts_.back();
        (in_name_ ? part.check : part.output).add(block.substr(0, end));
        if (end == block.size()) return;
        block.remove_prefix(end + 1);
        in_name_ = !in_name_;
        if (in_name_) begin_part();
    }
}

std::string Printed::text() const {
    std::string all;
    for (const Part& part : parts_) all += part.output.text();
    return all;
}

steps::Lines shown_output(const Printed& printed, const verdict::Record& record) {
    std::size_t room = 40, other_checks = 0, other_lines = 0;
    steps::Lines shown;
    for (const Printed::Part& part : in_order(printed.parts(), record)) {
        const steps::Lines lines = steps::split_lines(verdict::without_heap_words(part.output.text()));
        if (lines.empty()) continue;
        const std::size_t count = std::min(room, lines.size());
        const std::size_t more = lines.size() - count + lines_after(part.output);
        room -= count;
        if (count == 0) {
            ++other_checks;
            other_lines += more;
            continue;
        }
        const std::string& check = part.check.text();
        shown.push_back("    your output " + (check.empty()
                                                  ? "before the first check:"
                                                  : "in the check: " + harmless(verdict::in_words(check))));
        for (std::size_t i = 0; i < count; ++i) shown.push_back("      " + safe_line(lines[i]));
        if (more > 0) shown.push_back("      … " + counted(more, "more line"));
    }
    if (other_checks > 0)
        shown.push_back(fmt::format("    (and {} in {}, not shown)", counted(other_lines, "line"),
                                    counted(other_checks, "other check")));
    return shown;
}

}  // namespace tfs::tutorial
