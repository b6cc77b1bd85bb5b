// tools/tutorial/build_log.hpp · what ninja, the compiler and the linker say
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tutorial/session.hpp"

namespace tfs::tutorial {

// "[3/17] Building CXX object …"
struct Status {
    int done = 0, all = 0;
    std::string what = {};
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

// The first few errors of the edges that failed and that are asked for, as readable as they get, indented by 4. At most
// 24 lines. Empty where nothing of the kind failed.
steps::Lines errors_of(const std::vector<Edge>& edges, const std::function<bool(const Edge&)>& asked);

// The compiler's warnings in the learner's file of a step. Nothing where the file was not compiled in this build.
std::optional<steps::Lines> warnings_of(const std::vector<Edge>& edges, const steps::Step& step);

}  // namespace tfs::tutorial
