// tests/tools/checks.hpp · what the tests of tools/ share: what a text is asked for, the sentence of an error, a folder of one's own
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "tools/steps/text.hpp"

namespace tfs::tools_test {

namespace fs = std::filesystem;

// A failure shows the text.
testing::AssertionResult contains(const std::string& text, const std::string& part);

// The sentence of the Error that the function throws; "" where it throws nothing.
template <class Function>
std::string error_of(const Function& function) {
    try {
        (void)function();
        return "";
    } catch (const steps::Error& error) {
        return error.what();
    }
}

// Made empty, and gone at the end.
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

}  // namespace tfs::tools_test
