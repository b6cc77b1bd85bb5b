// common/program/weights.hpp · the trained weights and the texts that come with the repository
#pragma once

#include <filesystem>
#include <string>

namespace tfs {

// The folder weights/ of the repository.
[[nodiscard]] std::filesystem::path weights_folder();
// weights/NAME.safetensors, whatever folder the program is started in.
[[nodiscard]] std::filesystem::path weights_file(const std::string& name);
// The plays that the decoder of characters learns from, common/text/data/shakespeare.txt.
[[nodiscard]] std::filesystem::path shipped_corpus();

}  // namespace tfs
