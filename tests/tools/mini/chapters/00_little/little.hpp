// chapters/00_little/little.hpp · the contract of both steps
//
// No header of the standard library is included: a check compiles in a tenth of a second.
#pragma once

struct NotImplemented {
    const char* step;
    explicit NotImplemented(const char* which) : step(which) {}
};

int double_it(int x);
int halve_it(int x);
