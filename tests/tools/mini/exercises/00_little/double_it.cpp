// Step 0.1 · double_it · ●○○ · 5 min
// exercises/00_little/double_it.cpp · check yours with ./tutorial check 0.1
#include "chapters/00_little/little.hpp"

int double_it(int x) {
    // TODO 0.1: Twice x.
    // Without a loop.
    throw NotImplemented("0.1 double_it");
}
