// Step 13.6 · ring_of_machines · ●●○ · 15 min
// exercises/13_long_inputs/ring_of_machines.cpp · check yours with ./tutorial check 13.6
#include "chapters/13_long_inputs/given/tiles.hpp"
#include "chapters/13_long_inputs/long_inputs.hpp"

namespace tfs {

std::size_t machine_of(std::size_t position, std::size_t length, std::size_t machines) {
    require_position(position, length, machines);
    // TODO 13.6: Which machine keeps this position?
    throw NotImplemented("13.6 ring_of_machines");
}

}  // namespace tfs
