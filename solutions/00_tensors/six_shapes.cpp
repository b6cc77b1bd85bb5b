// Step 0.6 · six_shapes · ●○○ · 5 min
// solutions/00_tensors/six_shapes.cpp
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

std::array<Shape, 6> six_shapes() {
    std::array<Shape, 6> shapes;
    // begin: Puzzle: write the shapes of the six expressions of the contract, as in shapes[0] = {3, 4}.
    shapes[0] = {2, 5, 12};    // embedding: the shape of ids, and a row of the table for each id
    shapes[1] = {2, 5, 7};     // matmul: 12 meets 12 and goes; the batch stays
    shapes[2] = {2, 12};       // mean: axis 1 is gone
    shapes[3] = {2, 5, 1};     // max: the last axis stays, with size 1
    shapes[4] = {2, 3, 5, 4};  // reshape gives (2, 5, 3, 4); transpose swaps 5 and 3
    shapes[5] = {5, 12};       // broadcasting: aligned at the last axis, each 1 or missing axis repeated
    // end
    return shapes;
}

}  // namespace tfs
