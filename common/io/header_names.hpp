// common/io/header_names.hpp · the names in a JSON header, seen before a parser keeps one of two equal ones
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tfs {

// The names of the outermost object in their order. Throws FileError if the text is not valid JSON, is nested too
// deeply to mean anything here, or where a name occurs twice in one object. Takes n log n steps.
std::vector<std::string> header_names(const std::filesystem::path& path, std::string_view text);

}  // namespace tfs
