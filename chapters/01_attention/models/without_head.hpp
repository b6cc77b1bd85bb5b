// chapters/01_attention/models/without_head.hpp · one head of attention gives nothing for a while
#pragma once

#include <algorithm>

#include "common/nn.hpp"

namespace tfs {

// Its columns of w_o are 0 as long as this lives. head: from 0
class WithoutHead {
  public:
    WithoutHead(const Linear& w_o, std::size_t num_heads, std::size_t head)
        : w_o_(w_o.weight), before_(w_o_.array()) {
        const std::size_t width = w_o_.size(1) / num_heads;
        Array& all = w_o_.mutable_array();
        for (std::size_t row = 0; row < all.shape()[0]; ++row)
            std::fill_n(&all(row, head * width), width, 0.0f);
    }
    ~WithoutHead() { w_o_.mutable_array() = before_; }
    WithoutHead(const WithoutHead&) = delete;
    WithoutHead& operator=(const WithoutHead&) = delete;

  private:
    Tensor w_o_;  // a handle: the model's own
    Array before_;
};

}  // namespace tfs
