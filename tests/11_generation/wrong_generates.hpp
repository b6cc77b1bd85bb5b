// tests/11_generation/wrong_generates.hpp · generate with one thing done wrong
#pragma once

#include <string>
#include <vector>

#include "tests/11_generation/story.hpp"

namespace tfs::test {

struct WrongGenerate {
    std::string message;
    Generate generate;
};
const std::vector<WrongGenerate>& wrong_generates();

}  // namespace tfs::test
