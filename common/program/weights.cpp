// common/program/weights.cpp · the trained weights and the texts that come with the repository
#include "common/program/weights.hpp"

namespace tfs {

std::filesystem::path weights_folder() { return TFS_WEIGHTS_FOLDER; }

std::filesystem::path weights_file(const std::string& name) {
    return weights_folder() / (name + ".safetensors");
}

std::filesystem::path shipped_corpus() {
    return weights_folder().parent_path() / "common/text/data/shakespeare.txt";
}

}  // namespace tfs
