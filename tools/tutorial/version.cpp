// tools/tutorial/version.cpp · the text of ./tutorial --version
#include "tools/tutorial/version.hpp"

#include <fmt/format.h>

#include "tools/tutorial/kernels.hpp"
#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

namespace {

// "4f2a91c, 2025-03-01"; empty where this is no checkout, or git does not answer.
std::string commit() {
    if (!fs::exists(".git")) return "";  // a folder further up may be a checkout of something else
    try {
        const Answer answer = ask({.words = {"git", "log", "-1", "--no-show-signature", "--format=%h, %cs"}});
        return answer.code == 0 ? std::string(steps::trimmed(answer.output)) : "";
    } catch (const Refusal&) {  // there is no git
        return "";
    }
}

}  // namespace

void print_version(const Terminal& terminal) {
    const std::string known = commit();
    fmt::print("The Transformer, step by step, in C++, version {}{}\n", TFS_VERSION,
               known.empty() ? "" : fmt::format(" ({})", known));
    say(terminal, kernels_in_words());
}

}  // namespace tfs::tutorial
