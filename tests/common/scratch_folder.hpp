// tests/common/scratch_folder.hpp · a folder for one test, removed at its end
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace tfs::test {

// Its name has a space and a letter beyond ASCII, so that every test with files covers them.
class ScratchFolder {
  public:
    ScratchFolder() {
        const std::string pattern = (std::filesystem::temp_directory_path() / "tfs tést XXXXXX").string();
        std::string name = pattern;
        path_ = mkdtemp(name.data()) != nullptr ? name : "";
        EXPECT_FALSE(path_.empty()) << "no folder could be made from " << pattern;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    std::size_t file_count() const {
        std::size_t count = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) ++count;
        return count;
    }

  private:
    std::filesystem::path path_;
};

}  // namespace tfs::test
