// Step 0.6 · six_shapes · ●○○ · 5 min
// exercises/00_tensors/six_shapes.cpp · check yours with ./tutorial check 0.6
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

std::array<Shape, 6> six_shapes() {
    std::array<Shape, 6> shapes;
    // TODO 0.6: Puzzle: write the shapes of the six expressions of the contract, as in shapes[0] = {3, 4}.
    throw NotImplemented("0.6 six_shapes");
    return shapes;
}

}  // namespace tfs
