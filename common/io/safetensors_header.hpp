// common/io/safetensors_header.hpp · the JSON header of a safetensors file, read with distrust
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/xtensor.hpp"

namespace tfs {

constexpr std::size_t longest_header = 100'000'000;  // bytes; the limit of the format's own reader

// One tensor as the header describes it. Offsets count from the end of the header.
struct SafetensorsEntry {
    std::string name;
    std::string dtype;  // F32, F16 or BF16
    Shape shape;
    std::size_t count = 1;  // of values
    std::size_t begin = 0, end = 0;
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries;  // in the order of their offsets
    std::map<std::string, std::string> metadata;
};

// The tensors and the metadata of a header, checked against each other and the `available` bytes
// after it. Throws FileError, with the path and the reason, where they contradict each other.
SafetensorsHeader read_safetensors_header(const std::filesystem::path& path, std::string_view header,
                                          std::size_t available);

// Throws the FileError "PATH: REASON".
[[noreturn]] void refuse_file(const std::filesystem::path& path, const std::string& reason);

// A tensor's name for an error: harmless, in quotes, and cut where it would fill more than a line.
std::string in_quotes(const std::string& name);

}  // namespace tfs
