// Step 7.2 · grouped_queries · ●●○ · 10 min
// exercises/07_block/grouped_queries.cpp · check yours with ./tutorial check 7.2
#include <vector>

#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/block_checks.hpp"

namespace tfs {

Tensor repeat_heads(const Tensor& x, std::size_t times) {
    require_repeatable(x, times);
    // TODO 7.2: Each head `times` times, its copies side by side: heads a, b become a, a, b, b. x itself if times is 1.
    throw NotImplemented("7.2 grouped_queries");
}

}  // namespace tfs
