// tests/11_generation/key_value_cache_test.cpp · step key_value_cache
#include "tests/11_generation/checklist.hpp"

namespace tfs::test {
namespace {

TEST(key_value_cache, placeholder) {}

}  // namespace
}  // namespace tfs::test
