// tools/tutorial/build_log.hpp · what ninja, the compiler and the linker said
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/steps/tutorial.hpp"

namespace tfs::tutorial {

// "[3/17] Building CXX object …"
struct Status {
    std::string done, all, what;
};
std::optional<Status> parse_status(std::string_view line);

// One command of the build, and what it said.
struct Edge {
    std::string what;     // "Building CXX object …"
    std::string outputs;  // the files that it was to make; known only where it failed
    bool failed = false;
    steps::Lines said;
};

// ninja's output, taken apart. The root is left out of all paths in it.
std::vector<Edge> parse_build_log(std::string_view output, const std::string& root);

// Whether this command compiled the learner's file of this step, or linked its check.
bool compiles(const Edge& edge, const steps::Step& step);
bool links_check(const Edge& edge, const steps::Step& step);
// Whether it is of any learner's file, or of any check.
bool is_learners(const Edge& edge);

// What the linker did not find, as it names it, in the edges that failed and that are asked for:
// "tfs::softmax(tfs::Tensor const&, int)".
std::set<std::string> undefined_names(const std::vector<Edge>& edges,
                                      const std::function<bool(const Edge&)>& asked);

// An error of the compiler: the line of the file where it is, and what was said of it.
struct CompileError {
    std::size_t line = 0;
    steps::Lines said;
};
// Those in this file, each once.
std::vector<CompileError> errors_in(const std::string& file, const std::vector<Edge>& edges);

// The first few errors of the edges that failed and that are asked for, as readable as they get, indented by 4. At most
// 24 lines. Empty where nothing of the kind failed. What `told_already` says of a name that the linker did not find, or of the
// first line of an error, that is left out.
using Told = std::function<bool(const std::string& name_or_error)>;
steps::Lines errors_of(const std::vector<Edge>& edges, const std::function<bool(const Edge&)>& asked,
                       const Told& told_already = {});

// The compiler's warnings in the learner's file of a step. Nothing where the file was not compiled in this build.
std::optional<steps::Lines> warnings_of(const std::vector<Edge>& edges, const steps::Step& step);

}  // namespace tfs::tutorial
