// tests/tools/temporary_folder.hpp · a folder of a test's own
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace tfs::tools_test {

namespace fs = std::filesystem;

// Made empty, readable to all, and gone at the end.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const fs::path& path() const { return path_; }
    // Writes a file in it, with the folders that it needs. Returns its path.
    fs::path write(const fs::path& name, const std::string& text) const;

  private:
    fs::path path_;
};

// All files below a folder, by their path in it, with their text; folders have the text "folder".
std::map<std::string, std::string> tree_of(const fs::path& folder);

}  // namespace tfs::tools_test
