// tests/11_generation/cache_suspects.hpp · a cache with one thing done wrong
#pragma once

#include "tests/11_generation/cache_script.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {

// Whether a cache of the step keeps what it should after every call of the script. A failure tells the first place that differs,
// and what is done wrong, where all that is kept is what such a cache would keep.
testing::AssertionResult keeps_the_right_rows(const CacheScript& script);

}  // namespace tfs::test
