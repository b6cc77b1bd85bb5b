// tests/11_generation/sample_test.cpp · step sample
#include "tests/11_generation/checklist.hpp"

namespace tfs::test {
namespace {

TEST(sample, placeholder) {}

}  // namespace
}  // namespace tfs::test
