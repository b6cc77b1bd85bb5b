// tools/tutorial/build.hpp · packages, configuring, building
#pragma once

#include "tools/tutorial/build_log.hpp"
#include "tools/tutorial/session.hpp"

namespace tfs::tutorial {

inline const fs::path build_folder = "build/release";
inline const fs::path program_folder = build_folder / "bin";

struct Build {
    bool complete = false;  // all was built
    std::string output;
    std::vector<Edge> edges;

    bool some_edge_failed() const;
};

// Installs what is missing, or names it and ends the command. `more`: "--play".
void ask_for_packages(const Session& session, const std::vector<std::string>& more = {});

// Asks for the packages, configures where needed, and builds the targets. Goes on after an error, so that one step does
// not hide another. Keeps the output in .tutorial/build.log, and the warnings in the learner's files. What this process starts
// then computes with good kernels (kernels.hpp). Refusal where it can't come to a build at all.
Build build(const Session& session, const std::vector<std::string>& targets, const Stop& stop = {});

// Prints the errors, or the end of the output where none is recognised, and says where all of it is.
[[noreturn]] void give_up(const Build& build, int code);

// The same; does not come back where something could not be built.
void build_all_of(const Session& session, const std::vector<std::string>& targets);

}  // namespace tfs::tutorial
