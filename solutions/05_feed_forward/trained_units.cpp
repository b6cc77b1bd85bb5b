// Step 5.4 · trained_units · ●●○ · 15 min
// solutions/05_feed_forward/trained_units.cpp
#include <string>
#include <vector>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "chapters/05_feed_forward/given/memories.hpp"
#include "common/base/array.hpp"

namespace tfs {

std::vector<std::size_t> strongest_contexts(const Tensor& strengths, std::size_t unit, std::size_t count) {
    require_unit("strongest_contexts", strengths, unit, strengths.size(-1), count);
    return largest_of(slice(strengths, 0, unit, unit + 1).values(), count);
}

std::vector<std::size_t> raised_most(const Tensor& values, std::size_t unit, const Tensor& table,
                                     std::size_t count) {
    require_unit("raised_most", values, unit, table.size(0), count);
    const Tensor value = slice(values, 0, unit, unit + 1);     // (1, d_model)
    const Tensor logits = matmul(value, table, Transpose::b);  // (1, vocab): what it adds to each logit
    return largest_of(logits.values(), count);
}

std::vector<std::string> response_endings(std::size_t unit) {
    std::vector<std::vector<std::string>> endings(3);
    endings[0] = {"sir", "in", "ea"};  // all strongest contexts end with "sir", others with "min", "hea", …
    // begin: The ends of the contexts to which unit 1 responds, endings[1], and unit 2, endings[2]: "king" stands for all contexts
    // that end with it. Look at all contexts of a unit first: ./tutorial run 5 --mine -- --section unit-contexts
    endings[1] = {"not", "yet", "you", " yo"};
    endings[2] = {" the", "\nthe", "thy", " my"};  // the words themselves; not "anothe"
    // end
    return endings.at(unit);
}

}  // namespace tfs
