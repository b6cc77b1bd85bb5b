// tests/tools/checks.cpp
#include "tests/tools/checks.hpp"

#include <stdlib.h>

#include <stdexcept>

namespace tfs::tools_test {

testing::AssertionResult contains(const std::string& text, const std::string& part) {
    const bool is_so = text.find(part) != std::string::npos;
    return (is_so ? testing::AssertionSuccess() : testing::AssertionFailure())
           << "the text " << (is_so ? "contains\n" : "does not contain\n") << part << "\nThe text is:\n"
           << text;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (fs::canonical(fs::temp_directory_path()) / "tools_test_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(const fs::path& name, const std::string& text) const {
    steps::write_text(path_ / name, text);
    return path_ / name;
}

}  // namespace tfs::tools_test
