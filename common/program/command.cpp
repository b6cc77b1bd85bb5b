// common/program/command.cpp · the command of a run, without what the runner adds
#include "common/program/command.hpp"

#include <algorithm>
#include <filesystem>

namespace tfs {

std::string chapter_title(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

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
            options += option.find(' ') == std::string::npos ? " " + option : " \"" + option + "\"";
        }
    }
    return options.empty() ? command : command + " --" + options;
}

}  // namespace tfs
