// tests/11_generation/allowed_text_test.cpp · step allowed_text
#include "tests/11_generation/checklist.hpp"

namespace tfs::test {
namespace {

TEST(allowed_text, placeholder) {}

}  // namespace
}  // namespace tfs::test
