// chapters/07_block/given/repeat_heads.cpp · heads of keys for all heads of queries
#include <vector>

#include "chapters/07_block/block.hpp"
#include "chapters/07_block/given/block_checks.hpp"

namespace tfs {

Tensor repeat_heads(const Tensor& x, std::size_t times) {
    require_repeatable(x, times);
    if (times == 1) return x;
    const std::size_t batch = x.size(0), heads = x.size(1), seq = x.size(2), d = x.size(3);
    const Tensor alone = reshape(x, {batch, heads, 1, seq, d});
    const Tensor copies = concat(std::vector<Tensor>(times, alone), 2);  // (batch, heads, times, seq, d)
    return reshape(copies, {batch, heads * times, seq, d});
}

}  // namespace tfs
