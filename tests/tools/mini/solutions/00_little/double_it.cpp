// Step 0.1 · double_it · ●○○ · 5 min
// solutions/00_little/double_it.cpp
#include "chapters/00_little/little.hpp"

int double_it(int x) {
    // begin: Twice x.
    // Without a loop.
    return 2 * x;
    // end
}
