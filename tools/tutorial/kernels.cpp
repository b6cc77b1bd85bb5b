// tools/tutorial/kernels.cpp · the kernels of OpenBLAS that the programs compute with
#include <fmt/format.h>

#include <cstdlib>
#include <optional>

#include "tools/tutorial/build.hpp"

namespace tfs::tutorial {

namespace {

constexpr const char* variable = "OPENBLAS_CORETYPE";

fs::path kernels_program() { return program_folder / kernels_target; }

std::optional<std::string> variable_of_environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// What the learner has set: it is read before this process sets anything.
const std::optional<std::string> learners_kernels = variable_of_environment(variable);

// As if OpenBLAS took these by itself: for tools/machines and for measuring, where it knows the processor.
std::optional<std::string> pretended() { return variable_of_environment("TUTORIAL_OPENBLAS_TAKES"); }

// What the program says: a name and a value in each line.
struct Facts {
    std::string library, kernels, better;
};

// With these in OPENBLAS_CORETYPE, or without that variable.
Facts ask_program(const std::optional<std::string>& kernels, const Stop& stop = {}) {
    Command command;
    command.words = {kernels_program().string()};
    command.environment = {kernels ? fmt::format("{}={}", variable, *kernels) : variable};
    const std::string said = ask(command, stop).output;
    const auto value_of = [&](const std::string& name) {
        for (const std::string& line : steps::split_lines(said))
            if (line.starts_with(name + " ")) return line.substr(name.size() + 1);
        return std::string();
    };
    return {value_of("library"), value_of("kernels"), value_of("better")};
}

}  // namespace

void choose_kernels(const Stop& stop) {
    if (learners_kernels || !fs::exists(kernels_program())) return;
    const Facts facts = ask_program(pretended(), stop);
    const std::string kernels = facts.better.empty() ? pretended().value_or("") : facts.better;
    if (!kernels.empty()) ::setenv(variable, kernels.c_str(), 1);
}

std::string kernels_in_words() {
    if (!fs::exists(kernels_program()))
        return "Kernels of OpenBLAS: not known yet; the first ./tutorial run finds them out.";
    const Facts facts = ask_program(learners_kernels ? learners_kernels : pretended());
    if (facts.kernels.empty()) return "Kernels of BLAS: those of " + facts.library + ".";
    const bool chosen = !learners_kernels && !facts.better.empty();
    return fmt::format("Kernels of {}: {}, chosen by {}.", facts.library,
                       chosen ? ask_program(facts.better).kernels : facts.kernels,
                       learners_kernels ? fmt::format("your {}={}", variable, *learners_kernels)
                       : chosen ? fmt::format("./tutorial ({}), where OpenBLAS takes those for {}, an old "
                                              "processor",
                                              variable, facts.kernels)
                                : "OpenBLAS");
}

}  // namespace tfs::tutorial
