// Step 5.4 · trained_units · ●●○ · 20 min
// exercises/05_feed_forward/trained_units.cpp · check yours with ./tutorial check 5.4
#include <string>
#include <vector>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/05_feed_forward/given/recorded_units.hpp"
#include "common/base/largest.hpp"

namespace tfs {

std::vector<std::size_t> strongest_contexts(const Tensor& strengths, std::size_t unit, std::size_t count) {
    require_unit("strongest_contexts", strengths, unit, strengths.size(-1), count);
    // TODO 5.4: The places of the `count` largest strengths in the row of this unit. largest_of (common/base/largest.hpp) finds
    // the places of the largest numbers of a span, and .values() gives those of a tensor.
    throw NotImplemented("5.4 trained_units");
}

std::vector<std::size_t> raised_most(const Tensor& values, std::size_t unit, const Tensor& table,
                                     std::size_t count) {
    require_unit("raised_most", values, unit, table.size(0), count);
    // TODO 5.4: What does the unit's value (a row of `values`) add to each character's logit? The ids of the largest ones.
    throw NotImplemented("5.4 trained_units");
}

std::vector<std::string> firing_endings(std::size_t unit) {
    // TODO 5.4: For each unit, the ends of the contexts in which it fires: for a unit that fires after "king" and "queen",
    // {"king", "queen"}. Look at all of its contexts first: ./tutorial run 5 --mine -- --section unit-contexts
    throw NotImplemented("5.4 trained_units");
}

}  // namespace tfs
