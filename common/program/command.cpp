// common/program/command.cpp · the command of a run, without what the runner adds
#include "common/program/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "common/terminal/display.hpp"

namespace tfs {

std::string chapter_title(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

namespace {

// As a shell must read it to get this argument.
std::string in_shell(const std::string& argument) {
    const auto any = [&](const auto& is) { return std::any_of(argument.begin(), argument.end(), is); };
    if (harmless(argument) != argument) {  // $'…': nothing moves the cursor or turns the direction
        std::string text = "$'";
        for (std::string_view rest = argument; !rest.empty();) {
            const std::string_view character = rest.substr(0, first_character(rest).bytes);
            rest.remove_prefix(character.size());
            if (character == "'" || character == "\\")
                text += '\\' + std::string(character);
            else if (character == "\n")
                text += "\\n";
            else if (harmless(character) == character)
                text += character;
            else
                for (const char byte : character)
                    text += fmt::format("\\{:03o}", static_cast<unsigned char>(byte));
        }
        return text + "'";
    }
    if (any([](char c) { return std::string_view("\"$`\\!").find(c) != std::string_view::npos; })) {
        std::string text = "'";
        for (const char c : argument) text += c == '\'' ? "'\\''" : std::string(1, c);
        return text + "'";
    }
    const bool plain =
        !any([](char c) { return std::string_view(" '#&();<>|*?[]{}~").find(c) != std::string_view::npos; });
    return plain && !argument.empty() ? argument : '"' + argument + '"';
}

}  // namespace

std::string command_of(const std::string& chapter, int argc, char** argv) {
    std::string command = "./tutorial run " + std::to_string(std::stoi(chapter));
    const std::string program = std::filesystem::path(argv[0]).filename().string();
    if (program.ends_with("_mine")) command += " --mine";
    if (program.ends_with("_mine_all")) command += " --mine=all";
    std::string options;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        const std::string flag = option.substr(0, option.find('='));
        if (flag == "--plots" || flag == "--whose" || flag == "--beside") {
            if (flag == option) ++i;
        } else {
            options += ' ' + in_shell(option);
        }
    }
    return options.empty() ? command : command + " --" + options;
}

}  // namespace tfs
