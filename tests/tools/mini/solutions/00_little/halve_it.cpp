// Step 0.2 · halve_it · ●●○ · 10 min
// solutions/00_little/halve_it.cpp
#include "chapters/00_little/little.hpp"

int halve_it(int x) {
    // begin: Half of x, rounded to zero.
    return x / 2;
    // end
}
