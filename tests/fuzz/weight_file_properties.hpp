// tests/fuzz/weight_file_properties.hpp · what must hold of any bytes that are taken for a weight file
#pragma once

#include <string>
#include <string_view>

namespace tfs::test {

struct WeightFileVerdict {
    bool accepted = false;
    std::string wrong;  // what parse_safetensors did wrong; empty where it was right
};

// Gives the bytes to parse_safetensors. It must return tensors or throw a FileError whose sentence a terminal can show.
// What it accepts must be valid by the rules of the format, which are written down here once more, and must come back from
// what format_safetensors makes of it.
WeightFileVerdict judge_weight_file(std::string_view bytes);

}  // namespace tfs::test
