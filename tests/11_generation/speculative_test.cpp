// tests/11_generation/speculative_test.cpp · step speculative
#include "tests/11_generation/checklist.hpp"

namespace tfs::test {
namespace {

TEST(speculative, placeholder) {}

}  // namespace
}  // namespace tfs::test
