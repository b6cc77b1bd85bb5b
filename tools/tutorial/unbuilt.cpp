// tools/tutorial/unbuilt.cpp · what is printed of a step that could not be built
#include "tools/tutorial/unbuilt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "tools/steps/changed.hpp"
#include "tools/steps/gaps.hpp"
#include "tools/steps/replaced.hpp"

namespace tfs::tutorial {

namespace {

// What keeps a learner's file from being built because it was begun with another version of the step.
struct Outdated {
    std::vector<steps::Piece> missing;    // functions that her file does not define, and the linker misses
    std::vector<steps::Changed> changed;  // functions whose contract has other parameters
    std::vector<steps::OtherLines>
        given;              // given functions that are others now, and do not compile in her file
    steps::Lines replaced;  // sentences about what else changed in contracts

    bool empty() const { return missing.empty() && changed.empty() && given.empty() && replaced.empty(); }
};

// Whether the linker's name, "tfs::softmax(tfs::Tensor const&)", is of this function.
bool is_name_of(const steps::Piece& function, const std::string& name) {
    return name.starts_with(function.name + "(") || name.starts_with("tfs::" + function.name + "(");
}

Outdated outdated_in(const Session& session, const steps::Step& step, const Build& built,
                     const std::function<bool(const Edge&)>& own) {
    const std::string learners = steps::read_text(step.exercise());
    const std::string exercise =
        steps::exercise_of(steps::read_text(step.solution()), step.solution().string());
    Outdated found;
    const std::set<std::string> undefined = undefined_names(built.edges, own);
    for (const steps::Piece& function : steps::missing_functions(learners, exercise))
        if (std::any_of(undefined.begin(), undefined.end(),
                        [&](const std::string& name) { return is_name_of(function, name); }))
            found.missing.push_back(function);
    found.changed = steps::changed_functions(learners, exercise);
    const std::vector<CompileError> errors = errors_in(step.exercise().string(), built.edges);
    for (const steps::OtherLines& function : steps::other_given_lines(learners, exercise))
        if (std::any_of(errors.begin(), errors.end(),
                        [&](const CompileError& error) { return function.has(error.line); }))
            found.given.push_back(function);
    const steps::Lines lines = steps::split_lines(learners);
    std::vector<steps::Fault> faults;
    for (const CompileError& error : errors)
        if (error.line > 0 && error.line <= lines.size())
            faults.push_back({lines[error.line - 1], error.said});
    found.replaced = steps::replaced_in(faults, step.name, steps::read_replaced(session.tutorial));
    return found;
}

// "a, b and c"
std::string listed(const steps::Lines& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

steps::Lines names_of(const std::vector<steps::Piece>& functions) {
    steps::Lines names;
    for (const steps::Piece& function : functions) names.push_back(function.name);
    return names;
}

steps::Lines names_of(const std::vector<steps::Changed>& functions) {
    steps::Lines names;
    for (const steps::Changed& function : functions) names.push_back(function.now.name);
    return names;
}

steps::Lines names_of(const std::vector<steps::OtherLines>& functions) {
    steps::Lines names;
    for (const steps::OtherLines& function : functions) names.push_back(function.now.name);
    return names;
}

std::string headline_of(const Outdated& found, const steps::Step& step) {
    const steps::Lines missing = names_of(found.missing), changed = names_of(found.changed);
    steps::Lines parts;
    if (!missing.empty())
        parts.push_back(fmt::format("{} {} missing", listed(missing), missing.size() == 1 ? "is" : "are"));
    if (!changed.empty())
        parts.push_back(fmt::format("the {} of {} {} other parameters",
                                    changed.size() == 1 ? "contract" : "contracts", listed(changed),
                                    changed.size() == 1 ? "has" : "have"));
    if (!parts.empty()) return fmt::format("{}", fmt::join(parts, ", and "));
    if (!found.replaced.empty())
        return fmt::format("the contract of {} changed: {}", step.name, found.replaced.front());
    return fmt::format("the given lines of {} are others in this version", listed(names_of(found.given)));
}

void add_indented(steps::Lines& lines, const steps::Lines& more) {
    for (const std::string& line : more) lines.push_back("      " + line);
}

steps::Lines details_of(const Outdated& found, const steps::Step& step) {
    const std::string file = step.exercise().string();
    steps::Lines lines;
    if (!found.missing.empty()) {
        const bool one = found.missing.size() == 1;
        lines.push_back(
            fmt::format("    This step needs {}, and {} does not define {}. Add this, and fill it in:",
                        one ? "it" : "them", file, one ? "it" : "them"));
        for (const steps::Piece& function : found.missing) add_indented(lines, function.lines);
    }
    for (const steps::Changed& function : found.changed) {
        lines.push_back(fmt::format("    {} in the contract:", function.now.name));
        add_indented(lines, function.now.head);
        lines.push_back(fmt::format("    in {}:", file));
        add_indented(lines, function.hers.head);
    }
    if (!found.changed.empty()) {
        lines.push_back(
            "    ./tutorial update puts what you wrote under the lines of this version, and keeps a copy.");
        lines.push_back("    Or change these lines yourself.");
    }
    for (const steps::OtherLines& function : found.given) {
        lines.push_back("    These given lines are others in this version:");
        add_indented(lines, function.now.lines);
    }
    const bool first_is_told = found.missing.empty() && found.changed.empty();
    for (std::size_t i = first_is_told ? 1 : 0; i < found.replaced.size(); ++i)
        lines.push_back(fmt::format("    Also in the contract: {}", found.replaced[i]));
    return lines;
}

// Whether an error only says again that a function has other parameters.
bool says_again(const std::string& error, const steps::Changed& function) {
    const std::size_t scope = function.now.name.rfind("::");
    const std::string name =
        scope == std::string::npos ? function.now.name : function.now.name.substr(scope + 2);
    const auto has = [&](const std::string& part) { return error.find(part) != std::string::npos; };
    return has(name) &&
           (has("no declaration matches") || has("does not match any declaration") || has("is ambiguous"));
}

std::optional<StepReport> report_outdated(const Session& session, const steps::Step& step, const Build& built,
                                          const std::function<bool(const Edge&)>& own) {
    const Outdated found = outdated_in(session, step, built, own);
    if (found.empty()) return {};
    const std::string file = step.exercise().string();
    const auto is_told = [&](const std::string& said) {
        const bool here = said.starts_with(file + ":");
        const std::size_t line = here ? std::strtoul(said.c_str() + file.size() + 1, nullptr, 10) : 0;
        return std::any_of(found.missing.begin(), found.missing.end(),
                           [&](const steps::Piece& function) { return is_name_of(function, said); }) ||
               std::any_of(found.changed.begin(), found.changed.end(),
                           [&](const steps::Changed& function) {
                               return is_name_of(function.now, said) || says_again(said, function);
                           }) ||
               std::any_of(found.given.begin(), found.given.end(),
                           [&](const steps::OtherLines& function) { return function.has(line); });
    };
    steps::Lines details = details_of(found, step);
    const steps::Lines others = errors_of(built.edges, own, is_told);
    details.insert(details.end(), others.begin(), others.end());
    return StepReport{State::unbuilt, paint(session.terminal, "31", headline_of(found, step)), details};
}

}  // namespace

std::optional<StepReport> report_unbuilt(const Session& session, const steps::Step& step,
                                         const Build& built) {
    if (built.complete) return {};
    const auto failed = [&](const auto& asked) {
        return std::any_of(built.edges.begin(), built.edges.end(),
                           [&](const Edge& edge) { return edge.failed && asked(edge); });
    };
    const auto own = [&](const Edge& edge) { return compiles(edge, step) || links_check(edge, step); };
    const auto common = [](const Edge& edge) { return !is_learners(edge); };
    if (failed(own)) {
        if (steps::is_utf16(steps::read_text(step.exercise())))
            return StepReport{State::unbuilt,
                              paint(session.terminal, "31", "its file is saved as UTF-16"),
                              {fmt::format("    save {} as UTF-8", step.exercise().string())}};
        if (const auto outdated = report_outdated(session, step, built, own)) return outdated;
        return StepReport{State::unbuilt, paint(session.terminal, "31", "DOES NOT COMPILE"),
                          errors_of(built.edges, own)};
    }
    if (!failed(common)) return {};
    const steps::Lines errors = errors_of(built.edges, common);
    if (errors.empty()) give_up(built, 2);
    return StepReport{State::unchecked,
                      "could not be built, because something else does not compile:", errors};
}

}  // namespace tfs::tutorial
