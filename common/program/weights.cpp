// common/program/weights.cpp · the trained weights and the texts that come with the repository
#include "common/program/weights.hpp"

namespace tfs {

std::filesystem::path weights_file(const std::string& name) {
    return std::filesystem::path(TFS_WEIGHTS_FOLDER) / (name + ".safetensors");
}

std::filesystem::path repository_file(const std::string& path) {
    return std::filesystem::path(TFS_WEIGHTS_FOLDER).parent_path() / path;
}

}  // namespace tfs
