// tests/11_generation/wrong_caches.hpp · caches that do one thing wrong, for cache_suspects.cpp
#pragma once

#include <string>
#include <vector>

#include "tests/11_generation/cache_script.hpp"

namespace tfs::test {

struct WrongCache {
    std::string message;
    CacheWays ways;
};
using WrongCaches = std::vector<WrongCache>;

// All three done right, as the contract says.
CacheWays right_ways();

// Caches that append, drop or pick wrongly, and do the rest right.
void add_wrong_appends(WrongCaches& all);
void add_wrong_windows(WrongCaches& all);
void add_wrong_drops(WrongCaches& all);
void add_wrong_picks(WrongCaches& all);

}  // namespace tfs::test
