// tests/tools/temporary_folder.cpp · a folder of a test's own
#include "tests/tools/temporary_folder.hpp"

#include <stdlib.h>
#include <sys/stat.h>

#include <stdexcept>

#include "tools/steps/text.hpp"

namespace tfs::tools_test {

TemporaryFolder::TemporaryFolder() {
    std::string name = (fs::canonical(fs::temp_directory_path()) / "tools_test_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
    ::chmod(name.c_str(), 0755);
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

std::map<std::string, std::string> tree_of(const fs::path& folder) {
    std::map<std::string, std::string> tree;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        tree[entry.path().lexically_relative(folder).string()] =
            entry.is_regular_file() ? steps::read_text(entry.path()) : "folder";
    return tree;
}

}  // namespace tfs::tools_test
