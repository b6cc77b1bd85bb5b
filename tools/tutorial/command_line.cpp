// tools/tutorial/command_line.cpp · what the learner typed
//
// CLI11 sorts the arguments into commands, flags and words. What it does not know it hands back, and the sentences about
// it are made here. This is the only file that includes CLI11, which takes seconds to compile.
#include "tools/tutorial/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "tools/tutorial/nearest.hpp"
#include "tools/tutorial/session.hpp"

namespace tfs::tutorial {

namespace {

constexpr std::size_t any = 1000;

// How many words each command takes.
const std::map<std::string, std::size_t>& commands() {
    static const std::map<std::string, std::size_t> most = {
        {"list", 0},  {"run", any},  {"check", any}, {"hint", 1},   {"diff", 1},   {"watch", any},
        {"reset", 1}, {"test", any}, {"bench", 0},   {"update", 0}, {"help", any}, {"version", 0}};
    return most;
}

std::vector<std::string> flags_of(const std::string& command) {
    std::vector<std::string> flags = {"--no-install", "--help"};
    if (command == "list") flags.emplace_back("--version");
    if (command == "run") flags.insert(flags.end(), {"--mine", "--mine=all", "--open", "--format"});
    if (command == "check") flags.emplace_back("--sanitize");
    if (command == "diff") flags.emplace_back("--yes");
    if (command == "test") flags.emplace_back("--all");
    return flags;
}

struct Flags {
    bool help = false, no_install = false, version = false;
};

void add_common_flags(CLI::App& app, Flags& flags) {
    app.set_help_flag();
    app.allow_extras();
    app.add_flag("--help,-h", flags.help);
    app.add_flag("--no-install", flags.no_install);
}

void add_command(CLI::App& app, const std::string& name, Request& request, Flags& flags) {
    CLI::App& command = *app.add_subcommand(name);
    add_common_flags(command, flags);
    command.add_option("words", request.words);
    if (name == "run") {
        command.add_flag("--mine{this}", request.mine);
        command.add_flag("--open", request.open);
        command.add_option("--format", request.format);
    }
    if (name == "check") command.add_flag("--sanitize", request.sanitize);
    if (name == "diff") command.add_flag("--yes,-y", request.yes);
    if (name == "test") command.add_flag("--all", request.all);
}

[[noreturn]] void refuse_flag(const Request& request, const std::string& flag) {
    const std::string meant = did_you_mean(flag, flags_of(request.command));
    if (meant.empty() && (request.command == "run" || request.command == "bench")) {
        const std::string word = request.words.empty() ? "" : " " + request.words.front();
        throw Refusal(fmt::format("unknown flag {}; the program's own come after --: ./tutorial {}{} -- {} …",
                                  flag, request.command, word, flag));
    }
    throw Refusal(fmt::format("./tutorial {} does not know the flag {}; ./tutorial --help explains it.{}",
                              request.command, flag, meant));
}

[[noreturn]] void refuse_command(const std::string& word) {
    for (const char* meant : {"next", "status", "progress"})
        if (word == meant)
            throw Refusal(fmt::format(
                "there is no command \"{}\"; ./tutorial alone shows where you are and what to do next.",
                word));
    std::vector<std::string> names;
    for (const auto& [name, most] : commands()) names.push_back(name);
    throw Refusal(fmt::format("there is no command \"{}\"; ./tutorial --help lists them.{}", word,
                              did_you_mean(word, names)));
}

void refuse_what_is_unknown(const CLI::App& app, const Request& request) {
    for (const std::string& word : app.remaining(false))
        if (!word.starts_with('-')) refuse_command(word);
    for (const std::string& word : app.remaining(true)) refuse_flag(request, word);
    if (!request.mine.empty() && request.mine != "this" && request.mine != "all")
        refuse_flag(request, "--mine=" + request.mine);
    if (const std::size_t most = commands().at(request.command); request.words.size() > most)
        throw Refusal(fmt::format("./tutorial {} takes no \"{}\"; ./tutorial --help explains it.",
                                  request.command, request.words[most]));
    if (!request.extra.empty() && request.command != "run" && request.command != "bench")
        throw Refusal(fmt::format("./tutorial {} takes nothing after --.", request.command));
}

// Flags may come before the command, too.
std::vector<std::string> command_first(std::vector<std::string> arguments) {
    const auto is_word = [](const std::string& argument) { return !argument.starts_with('-'); };
    const auto command = std::find_if(arguments.begin(), arguments.end(), is_word);
    if (command != arguments.end()) std::rotate(arguments.begin(), command, command + 1);
    return arguments;
}

// "--sanitize=yes": all that CLI11 refuses is a flag with a value that takes none.
bool gives_value(const std::string& argument) {
    return argument.starts_with("--") && argument.find('=') != std::string::npos &&
           !argument.starts_with("--mine=") && !argument.starts_with("--format=");
}

}  // namespace

Request parse_command_line(const std::vector<std::string>& arguments) {
    Request request;
    Flags flags;
    CLI::App app;
    add_common_flags(app, flags);
    app.add_flag("--version", flags.version);
    app.require_subcommand(0, 1);
    for (const auto& [name, most] : commands()) add_command(app, name, request, flags);

    const auto mark = std::find(arguments.begin(), arguments.end(), "--");
    if (mark != arguments.end()) request.extra.assign(mark + 1, arguments.end());
    std::vector<std::string> own = command_first({arguments.begin(), mark});
    const auto value = std::find_if(own.begin(), own.end(), gives_value);
    bool understood = true;
    try {
        app.parse(std::vector<std::string>(own.rbegin(), own.rend()));  // CLI11 wants them in reverse
    } catch (const CLI::ParseError&) {
        understood = false;
    }
    if (const auto chosen = app.get_subcommands(); !chosen.empty())
        request.command = chosen.front()->get_name();
    if (flags.version) request.command = "version";
    if (flags.help) request.command = "help";
    request.install = !flags.no_install;
    if (request.command == "help") return request;
    if (!understood) refuse_flag(request, value == own.end() ? "" : *value);
    refuse_what_is_unknown(app, request);
    return request;
}

}  // namespace tfs::tutorial
