// common/program/weights.hpp · the trained weights that come with the repository
#pragma once

#include <filesystem>
#include <string>

namespace tfs {

// weights/NAME.safetensors, whatever folder the program is started in.
[[nodiscard]] std::filesystem::path weights_file(const std::string& name);

}  // namespace tfs
