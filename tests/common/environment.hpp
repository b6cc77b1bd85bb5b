// tests/common/environment.hpp · what a test runs in: a folder, variables, what is printed
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tfs::test {

// A folder for one test, removed at its end. Its name has a space and a letter beyond ASCII, so that every test with files covers them.
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

// An environment variable that has another value for a while.
class Variable {
  public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name); before != nullptr) before_ = before;
        setenv(name, value, 1);
    }
    ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    const char* name_;
    std::optional<std::string> before_;
};

// What a main function returned and printed.
struct CapturedRun {
    int code = -1;
    std::string out, err;
};

inline CapturedRun captured_run(std::vector<std::string> arguments,
                                const std::function<int(int argc, char** argv)>& main_function) {
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    CapturedRun run;
    run.code = main_function(static_cast<int>(arguments.size()), pointers.data());
    run.out = testing::internal::GetCapturedStdout();
    run.err = testing::internal::GetCapturedStderr();
    return run;
}

// How often a text contains a part.
inline std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++found;
    return found;
}

}  // namespace tfs::test
