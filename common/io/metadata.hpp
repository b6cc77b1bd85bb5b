// common/io/metadata.hpp · the metadata of a weight file, read with distrust
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "common/io/safetensors.hpp"

namespace tfs {

// Entries of a file that should be of some kind. Where one is missing or malformed, a FileError names the file, says that it
// is of another kind ("not the weights of a noun finder"), and names the entry.
class MetadataReader {
  public:
    MetadataReader(const WeightFile& loaded, std::filesystem::path file, std::string other_kind);

    const std::string& text(const std::string& name) const;
    // In decimal digits without leading zeros, from least to most.
    std::size_t count(const std::string& name, std::size_t least = 0, std::size_t most = SIZE_MAX) const;
    double real(const std::string& name) const;  // "inf" is one

    // Throws the FileError "FILE: not the weights of …" with what follows: ": 5 heads don't divide 64".
    [[noreturn]] void refuse(const std::string& why) const;

  private:
    Metadata metadata_;
    std::filesystem::path file_;
    std::string other_kind_;
};

}  // namespace tfs
