// common/program/weights.cpp · the trained weights that come with the repository
#include "common/program/weights.hpp"

namespace tfs {

std::filesystem::path weights_file(const std::string& name) {
    return std::filesystem::path(TFS_WEIGHTS_FOLDER) / (name + ".safetensors");
}

}  // namespace tfs
