// tools/debug/shown.cpp · how a debugger shows a tensor or a mask: linked into ./tutorial check N.M --debug
//
// The printers beside this file call it in the program that is stopped, by the address of the variable.
#include <exception>
#include <string>

#include "common/tensor.hpp"
#include "common/tensor/print.hpp"

namespace {

std::string text;

template <class Value>
const char* show(const void* value) {
    try {
        text = tfs::to_string(*static_cast<const Value*>(value));
    } catch (const std::exception&) {
        text = "no value (not yet, or moved from)";
    }
    return text.c_str();
}

}  // namespace

extern "C" {
const char* tfs_shown_tensor(const void* value) { return show<tfs::Tensor>(value); }
const char* tfs_shown_mask(const void* value) { return show<tfs::Mask>(value); }
}
