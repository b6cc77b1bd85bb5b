// tests/tools/error_of.hpp · the sentence of an Error
#pragma once

#include <string>

#include "tools/steps/text.hpp"

namespace tfs::tools_test {

// What the function throws; "" where it throws nothing.
template <class Function>
std::string error_of(const Function& function) {
    try {
        (void)function();
        return "";
    } catch (const steps::Error& error) {
        return error.what();
    }
}

}  // namespace tfs::tools_test
