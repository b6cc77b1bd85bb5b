// Step 13.6 · ring_of_machines · ●●○ · 15 min
// solutions/13_long_inputs/ring_of_machines.cpp
#include "chapters/13_long_inputs/given/tiles.hpp"
#include "chapters/13_long_inputs/long_inputs.hpp"

namespace tfs {

std::size_t machine_of(std::size_t position, std::size_t length, std::size_t machines) {
    require_position(position, length, machines);
    // begin: Which machine keeps this position?
    return position % machines;
    // end
}

}  // namespace tfs
