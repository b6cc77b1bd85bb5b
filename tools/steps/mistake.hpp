// tools/steps/mistake.hpp · answers to a step that are kept, told as edits of its solution
//
// tests/01_attention/softmax.mistakes:
//
//     # wrong_axis: the softmax runs along the first axis, whatever `axis` is; hand `axis` to max and sum
//     +    axis = 0;
//          const Tensor largest = maximum(max(x, axis, KeepDims::yes), lowest).detach();  // it cancels: no gradient
//
//     # epsilon: a number is added to the sum, so that every weight is too small; maximum(sum, least) keeps it
//     #   from being 0
//     -    return exponentials / maximum(sum(exponentials, axis, KeepDims::yes), least);
//     +    return exponentials / (sum(exponentials, axis, KeepDims::yes) + ⟨1e-6f ⟨or⟩ 1e-3f⟩);
//
// The first lines name the answer and say what the learner reads; then come the lines of the solution that stay (" "), go out ("-"),
// and come in ("+"). Those that stay or go out stand in the solution one below the other, exactly once; the marks of gaps and their
// tasks do not count. An empty line stands between two places of the solution, which follow its order, and between two answers.
// Where "⟨…⟩" holds alternatives, each makes an answer of its own.
//
//     # wrong_axis: …           a mistake: the checklist must catch it, and the learner reads its sentence
//     # fault wrong_axis: …     one that the exercise has from the beginning; so all combinations of these are mistakes, too
//     # right in_loops          no mistake: it must pass
//     # unseen by_row: …        a wrong answer that is not among the mistakes when causes are sought: the learner reads these sentences
//                               (with " AND " between two), or none; with "none" in their place, always none
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tools/steps/text.hpp"

namespace tfs::steps {

struct Hunk {
    std::size_t line = 0;  // of the edit file, where it begins
    Lines before, after;
};

struct Mistake {
    enum class Kind { mistake, fault, right, unseen };

    fs::path file;  // …/softmax.mistakes
    Kind kind = Kind::mistake;
    std::string
        name;  // "wrong_axis"; of alternatives "epsilon", "epsilon~2"; of combined faults "first+second"
    std::vector<std::string> sentences;  // what the learner reads: one, or that of each fault
    std::vector<Hunk> hunks;

    std::string step() const;  // "softmax"
    // What the answers of a step are called where they are run: "wrong_axis", "right in_loops".
    std::string title() const;
};

// Of a file as above, with the combinations of faults. Error, with file and line, where the file is not as above.
std::vector<Mistake> read_mistakes(const fs::path& file);

// The solution with the mistake in it. Error where the lines of a hunk do not stand there, or stand there twice.
std::string with_mistake(const std::string& solution, const Mistake& mistake);

}  // namespace tfs::steps
