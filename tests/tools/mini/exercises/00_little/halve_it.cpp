// Step 0.2 · halve_it · ●●○ · 10 min
// exercises/00_little/halve_it.cpp · check yours with ./tutorial check 0.2
#include "chapters/00_little/little.hpp"

int halve_it(int x) {
    // TODO 0.2: Half of x, rounded to zero.
    throw NotImplemented("0.2 halve_it");
}
