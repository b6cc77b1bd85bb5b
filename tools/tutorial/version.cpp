// tools/tutorial/version.cpp · the text of ./tutorial --version
#include "tools/tutorial/version.hpp"

#include <fmt/format.h>

#include "tools/tutorial/process.hpp"

namespace tfs::tutorial {

namespace {

// "4f2a91c, 2025-03-01"; empty where this is no checkout, or git does not answer.
std::string commit() {
    if (!fs::exists(".git")) return "";  // a folder further up may be a checkout of something else
    Command command;
    command.words = {"git", "log", "-1", "--no-show-signature", "--format=%h, %cs"};
    std::string said;
    Listener listener;
    listener.output = [&](std::string_view block) { said += block; };
    try {
        if (exit_code(run(command, listener)) != 0) return "";
    } catch (const Refusal&) {  // there is no git
        return "";
    }
    return std::string(steps::trimmed(said));
}

}  // namespace

void print_version() {
    const std::string known = commit();
    fmt::print("The Transformer, step by step, in C++{}\n", known.empty() ? "" : fmt::format(" ({})", known));
}

}  // namespace tfs::tutorial
