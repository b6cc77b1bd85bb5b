// tools/tutorial/command_line.cpp · what the learner typed
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "common/terminal/command_line.hpp"
#include "tools/tutorial/commands.hpp"

namespace tfs::tutorial {

namespace {

// How many insertions, deletions, replacements and swaps of neighbours lead from a to b (Damerau and Levenshtein).
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

constexpr std::size_t any = 1000;

// How many words each command takes.
const std::map<std::string, std::size_t>& commands() {
    static const std::map<std::string, std::size_t> most = {
        {"list", 0},    {"progress", 0}, {"status", 0}, {"next", 0},   {"run", any},   {"play", 1},
        {"pages", any}, {"check", any},  {"hint", 1},   {"diff", 1},   {"watch", any}, {"reset", 1},
        {"test", any},  {"bench", 0},    {"update", 0}, {"help", any}, {"version", 0}};
    return most;
}

// The table, which has several names: empty where no command was typed.
bool shows_table(const std::string& command) {
    return command.empty() || command == "list" || command == "progress" || command == "status" ||
           command == "next";
}

std::vector<std::string> flags_of(const std::string& command) {
    std::vector<std::string> flags = {"--no-install", "--help"};
    if (shows_table(command)) flags.insert(flags.end(), {"--version", "--json"});
    if (command == "play") flags.insert(flags.end(), {"--port", "--no-open", "--alone", "--solutions"});
    if (command == "run")
        flags.insert(flags.end(), {"--mine", "--mine=all", "--mine=passed", "--open", "--format"});
    if (command == "check") flags.insert(flags.end(), {"--sanitize", "--debug", "--no-causes"});
    if (command == "diff") flags.emplace_back("--yes");
    if (command == "test") flags.emplace_back("--all");
    return flags;
}

[[noreturn]] void refuse_flag(const Request& request, const std::string& flag) {
    const std::string meant = did_you_mean(flag, flags_of(request.command));
    if (meant.empty() && (request.command == "run" || request.command == "bench")) {
        const std::string word = request.words.empty() ? "" : " " + request.words.front();
        throw Refusal(fmt::format("unknown flag {}; the program's own come after --: ./tutorial {}{} -- {} …",
                                  flag, request.command, word, flag));
    }
    const std::string command = request.command.empty() ? "" : " " + request.command;
    throw Refusal(fmt::format("./tutorial{} does not know the flag {}; ./tutorial{} --help explains it.{}",
                              command, flag, command, meant));
}

[[noreturn]] void refuse_command(const std::string& word) {
    std::vector<std::string> names;
    for (const auto& [name, most] : commands()) names.push_back(name);
    throw Refusal(fmt::format("there is no command \"{}\"; ./tutorial --help lists them.{}", word,
                              did_you_mean(word, names)));
}

// Takes the command from the arguments: flags may come before it, too. Empty where there is none.
std::string take_command(std::vector<std::string>& arguments) {
    const auto is_word = [](const std::string& argument) { return !argument.starts_with('-'); };
    const auto found = std::find_if(arguments.begin(), arguments.end(), is_word);
    if (found == arguments.end()) return "";
    const std::string command = *found;
    if (!commands().contains(command)) refuse_command(command);
    arguments.erase(found);
    return command;
}

// "--sanitize=yes", a flag with a value that takes none; or else what the error names.
std::string refused_flag(const std::vector<std::string>& arguments, const UsageError& error) {
    const auto gives_value = [](const std::string& argument) {
        return argument.starts_with("--") && argument.find('=') != std::string::npos &&
               !argument.starts_with("--mine=") && !argument.starts_with("--format=") &&
               !argument.starts_with("--port=") && !argument.starts_with("--debug=");
    };
    const auto found = std::find_if(arguments.begin(), arguments.end(), gives_value);
    return error.argument.empty() && found != arguments.end() ? *found : error.argument;
}

void require_port(const std::string& port) {
    int number = 0;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (error != std::errc() || end != port.data() + port.size() || number < 1 || number > 65535)
        throw Refusal(fmt::format("--port {}: must be a number from 1 to 65535.", port));
}

void require_fit(const Request& request) {
    if (!request.port.empty()) require_port(request.port);
    if (!request.mine.empty() && request.mine != "this" && request.mine != "all" && request.mine != "passed")
        throw Refusal(
            fmt::format("--mine={}: there are --mine, --mine=all and --mine=passed.", request.mine));
    if (!request.debug.empty() && request.debug != "run" && request.debug != "build")
        refuse_flag(request, "--debug=" + request.debug);
    if (!request.debug.empty() && request.words.size() > 1)
        throw Refusal("--debug takes one step, as in: ./tutorial check softmax --debug");
    const std::size_t most = request.command.empty() ? 0 : commands().at(request.command);
    if (request.words.size() > most)
        throw Refusal(fmt::format("./tutorial {} takes no \"{}\"; ./tutorial {} --help explains it.",
                                  request.command, request.words[most], request.command));
    if (!request.extra.empty() && request.command != "run" && request.command != "bench")
        throw Refusal(fmt::format("./tutorial{}{} takes nothing after --.",
                                  request.command.empty() ? "" : " ", request.command));
}

}  // namespace

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
    if (word.size() > 100) return "";
    std::size_t best = word.size() > 4 ? 3 : 2;  // this far is not near any more
    std::string found;
    for (const std::string& candidate : candidates) {
        const std::size_t far = distance(word, candidate);
        if (far >= best) continue;
        best = far;
        found = candidate;
    }
    return found.empty() ? "" : " Did you mean " + found + "?";
}

Request parse_command_line(const std::vector<std::string>& arguments) {
    const auto mark = std::find(arguments.begin(), arguments.end(), "--");
    std::vector<std::string> own(arguments.begin(), mark);
    Request request;
    if (mark != arguments.end()) request.extra.assign(mark + 1, arguments.end());
    if (std::any_of(own.begin(), own.end(),
                    [](const auto& word) { return word == "--help" || word == "-h"; })) {
        const auto named = std::find_if(own.begin(), own.end(),
                                        [](const std::string& word) { return commands().contains(word); });
        if (named != own.end()) request.words = {*named};
        request.command = "help";
        return request;
    }
    request.command = take_command(own);

    const std::string& command = request.command;
    bool no_install = false, version = false;
    CommandLine line("tutorial", "");
    line.words(request.words);
    line.option("--no-install", no_install, "");
    if (shows_table(command)) {
        line.option("--version", version, "");
        line.option("--json", request.json, "");
    }
    if (command == "play") {
        line.option("--port", request.port, "");
        line.option("--no-open", request.no_open, "");
        line.option("--alone", request.alone, "");
        line.option("--solutions", request.solutions, "");
    }
    if (command == "run") {
        line.flag_or_value("--mine", request.mine, "this");
        line.option("--open", request.open, "");
        line.option("--format", request.format, "");
    }
    if (command == "check") {
        line.option("--sanitize", request.sanitize, "");
        line.flag_or_value("--debug", request.debug, "run");
        line.option("--no-causes", request.no_causes, "");
    }
    if (command == "check" || command == "run")
        line.option("--for-play", request.for_play, "");  // by play: no learner needs it
    if (command == "diff") line.option("--yes,-y", request.yes, "");
    if (command == "test") line.option("--all", request.all, "");
    try {
        line.parse(own);
    } catch (const HelpAsked&) {  // "-yh"
        request.words = {command};
        request.command = "help";
        return request;
    } catch (const UsageError& error) {
        const std::vector<std::string> known = flags_of(command);
        if (std::find(known.begin(), known.end(), error.argument) != known.end())  // its value is missing
            throw Refusal(fmt::format("{}, as in: ./tutorial {}", error.what(),
                                      command == "play" ? "play --port 8642" : "run 1 --format png"));
        refuse_flag(request, refused_flag(own, error));
    }
    request.install = !no_install;
    if (version) request.command = "version";
    require_fit(request);
    return request;
}

}  // namespace tfs::tutorial
