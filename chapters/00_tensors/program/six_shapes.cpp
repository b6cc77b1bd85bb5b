// chapters/00_tensors/program/six_shapes.cpp · the puzzle: the shapes that were written, beside those that come out
#include "chapters/00_tensors/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/00_tensors/given/six_expressions.hpp"
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

void show_six_shapes(std::ostream& out) {
    const std::array<Shape, 6> written = six_shapes();
    const std::array<ShapeQuestion, 6> questions = six_expressions();
    fmt::print(out, "  {:<42} {:<14} {}\n", "expression", "you wrote", "it is");
    for (std::size_t i = 0; i < questions.size(); ++i) {
        fmt::print(out, "  {:<42} {:<14} {}\n", questions[i].expression, to_string(written[i]),
                   to_string(questions[i].result.shape()));
    }
}

}  // namespace tfs
