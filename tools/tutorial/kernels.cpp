// tools/tutorial/kernels.cpp · the kernels of OpenBLAS that the programs compute with
#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <sstream>
#include <vector>

#include "tools/tutorial/build.hpp"

namespace tfs::tutorial {

namespace {

constexpr const char* variable = "OPENBLAS_CORETYPE";

fs::path kernels_program() { return program_folder / kernels_target; }
fs::path kept_file() { return build_folder / "kernels.txt"; }

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
    std::string text;

    std::string operator[](const std::string& name) const {
        for (const std::string& line : steps::split_lines(text))
            if (line == name || line.starts_with(name + " "))
                return std::string(steps::trimmed(line.substr(name.size())));
        return {};
    }
};

// With these in OPENBLAS_CORETYPE, or without that variable.
Answer ask_program(const std::optional<std::string>& kernels, bool tries, const Stop& stop = {}) {
    Command command;
    command.words = {kernels_program().string()};
    if (tries) command.words.emplace_back("--try");
    command.environment = {kernels ? fmt::format("{}={}", variable, *kernels) : variable};
    command.time_limit = std::chrono::seconds(20);
    return ask(command, stop);
}

// What came of trying, and what to set; `chosen` is empty where all stays as OpenBLAS chooses.
struct Choice {
    std::string chosen, why;
};

// How much faster products must be.
constexpr double worthwhile = 1.1;

Choice try_better(const Facts& facts, const Stop& stop) {
    const auto seconds = [](const Answer& answer) {
        return std::strtod(Facts{answer.output}["seconds"].c_str(), nullptr);
    };
    const double own = seconds(ask_program(pretended(), true, stop));
    std::string refused;
    std::istringstream names(facts["better"]);
    for (std::string name; names >> name;) {
        const Answer answer = ask_program(name, true, stop);
        const Facts said{answer.output};
        if (!refused.empty()) refused += ", ";
        if (said["kernels"] != name) {
            refused += fmt::format("this library has no kernels for {}", name);
        } else if (!said["wrong"].empty()) {
            refused += fmt::format("those for {} compute {} wrong", name, said["wrong"]);
        } else if (answer.code != 0) {
            refused += fmt::format("a program with those for {} ended with exit code {}", name, answer.code);
        } else if (own < worthwhile * seconds(answer)) {
            refused += fmt::format("those for {} are not faster", name);
        } else {
            return {name, fmt::format("By default OpenBLAS chooses its code for {}, an old processor. Its "
                                      "code for {} computes the same products, {:.1f} "
                                      "times as fast.",
                                      facts["kernels"], name, own / seconds(answer))};
        }
    }
    return {"", fmt::format("They are for an old processor, but better ones can't be used: {}.", refused)};
}

// The choice that was kept for exactly these facts: of this processor and this library.
std::optional<Choice> kept_choice(const Facts& facts) {
    std::error_code absent;
    if (!fs::is_regular_file(kept_file(), absent)) return std::nullopt;
    const Facts kept{steps::read_text(kept_file())};
    if (!kept.text.starts_with(facts.text)) return std::nullopt;
    return Choice{kept["chosen"], kept["why"]};
}

void keep_choice(const Facts& facts, const Choice& choice) {
    try {
        steps::write_text(kept_file(),
                          fmt::format("{}chosen {}\nwhy {}\n", facts.text, choice.chosen, choice.why));
    } catch (const steps::Error&) {  // tried again at the next command
    }
}

}  // namespace

void choose_kernels(const Stop& stop) {
    if (learners_kernels || !fs::exists(kernels_program())) return;
    const Answer told = ask_program(pretended(), false, stop);
    const Facts facts{told.output};
    if (told.code != 0) return;
    std::optional<std::string> kernels = pretended();
    if (facts["better"].empty()) {
        std::error_code absent;
        fs::remove(kept_file(), absent);  // of another processor or library
    } else {
        std::optional<Choice> choice = kept_choice(facts);
        if (!choice) {
            choice = try_better(facts, stop);
            keep_choice(facts, *choice);
            if (!choice->chosen.empty())
                fmt::print(stderr, "{} From now on ./tutorial uses that.\n", choice->why);
        }
        if (!choice->chosen.empty()) kernels = choice->chosen;
    }
    if (kernels) ::setenv(variable, kernels->c_str(), 1);
}

std::string kernels_in_words() {
    if (!fs::exists(kernels_program()))
        return "Kernels of OpenBLAS: not known yet; the first ./tutorial run finds them out.";
    const Facts facts{ask_program(learners_kernels ? learners_kernels : pretended(), false).output};
    const std::string library = facts["library"], kernels = facts["kernels"];
    if (kernels.empty()) return "Kernels of BLAS: those of " + library + ".";
    const auto sentences = [&](const std::string& name, const std::string& who, const std::string& why) {
        return fmt::format("Kernels of {}: {}, chosen by {}.{}", library, name, who,
                           why.empty() ? "" : " " + why);
    };
    if (learners_kernels)
        return sentences(kernels, fmt::format("your {}={}", variable, *learners_kernels), "");
    if (facts["better"].empty()) return sentences(kernels, "OpenBLAS", "");
    const std::optional<Choice> choice = kept_choice(facts);
    if (!choice)
        return sentences(kernels, "OpenBLAS",
                         "They are for an old processor; the next ./tutorial run tries better ones.");
    if (choice->chosen.empty()) return sentences(kernels, "OpenBLAS", choice->why);
    return sentences(choice->chosen, fmt::format("./tutorial ({})", variable), choice->why);
}

}  // namespace tfs::tutorial
