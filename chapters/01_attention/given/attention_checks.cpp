// chapters/01_attention/given/attention_checks.cpp
#include "chapters/01_attention/given/attention_checks.hpp"

#include <fmt/format.h>

#include "common/tensor/named_axes.hpp"

namespace tfs {

void require_attention_shapes(const Tensor& q, const Tensor& k) {
    require_shapes("attention", {{"q", q, "... query d_k+"}, {"k", k, "... key+ d_k"}});
}

void require_attention_shapes(const Tensor& q, const Tensor& k, const Tensor& v) {
    require_shapes("attention", {{"q", q, "... query d_k+"},
                                 {"k", k, "... key+ d_k"},
                                 {"v", v, "... key d_v", "are k and v from different sources?"}});
}

void require_splittable(const Tensor& x, std::size_t num_heads) {
    require_shapes("split_heads", {{"x", x, "batch seq width"}});
    if (num_heads == 0 || x.size(-1) % num_heads != 0) {
        throw ShapeError(fmt::format("split_heads: {} heads don't divide the width {} of {}", num_heads,
                                     x.size(-1), to_string(x.shape())));
    }
}

void require_split(const Tensor& x) { require_shapes("merge_heads", {{"x", x, "batch heads seq d"}}); }

}  // namespace tfs
