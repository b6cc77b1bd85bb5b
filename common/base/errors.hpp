// common/base/errors.hpp · errors are exceptions that carry one readable sentence
//
// The sentence names the operation, the values that disagree and the likely cause. Nothing in this project calls
// abort or exit; a program's main (common/program/main_function.hpp) turns an Error into one line and exit code 2.
#pragma once

#include <stdexcept>
#include <string>

#include "common/base/xtensor.hpp"

namespace tfs {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Shapes that don't fit each other or the operation.
struct [[nodiscard]] ShapeError : Error {
    using Error::Error;
};

// A value that makes no sense: a bad hyperparameter, a token id out of range, backward() on a freed tape.
struct [[nodiscard]] ValueError : Error {
    using Error::Error;
};

// A file that is missing, cut short, malformed, or can't be written.
struct [[nodiscard]] FileError : Error {
    using Error::Error;
};

// A gap that the learner has not filled in yet. `step` is the number and the name, as in
// "1.3 scaled_dot_product_attention".
struct NotImplemented : Error {
    explicit NotImplemented(const std::string& step) : Error("not started: step " + step) {}
};

// "(2, 4, 9, 16)"; a scalar is "()".
std::string to_string(const Shape& shape);

}  // namespace tfs
