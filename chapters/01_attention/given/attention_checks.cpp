// chapters/01_attention/given/attention_checks.cpp · the shape checks of chapter 01, given
#include "chapters/01_attention/given/attention_checks.hpp"

#include <fmt/format.h>

namespace tfs {

namespace {

Shape leading(const Tensor& x) {
    Shape shape = x.shape();
    shape.resize(shape.size() - 2);
    return shape;
}

// What q, k and perhaps v must have in common; `shapes` begins each message.
void require_shapes(const std::string& shapes, const Tensor& q, const Tensor& k, const Tensor* v) {
    if (q.rank() < 2 || k.rank() != q.rank() || (v && v->rank() != q.rank())) {
        throw ShapeError(shapes +
                         ": all need the axes (…, position, width); are the heads split in all of them?");
    }
    if (leading(q) != leading(k) || (v && leading(k) != leading(*v))) {
        throw ShapeError(shapes + ": the axes before the last two (batch, heads) must agree");
    }
    if (q.size(-1) != k.size(-1)) {
        throw ShapeError(fmt::format("{}: queries of width {} meet keys of width {}; both must be d_k",
                                     shapes, q.size(-1), k.size(-1)));
    }
    if (v && k.size(-2) != v->size(-2)) {
        throw ShapeError(fmt::format(
            "{}: {} keys but {} values; each key has one value (are k and v from the same source?)", shapes,
            k.size(-2), v->size(-2)));
    }
    if (q.size(-1) == 0) throw ShapeError(shapes + ": d_k is 0, so there is nothing to compare");
    if (k.size(-2) == 0) throw ShapeError(shapes + ": there is no key to attend to");
}

}  // namespace

void require_attention_shapes(const Tensor& q, const Tensor& k) {
    require_shapes(fmt::format("attention: q {}, k {}", to_string(q.shape()), to_string(k.shape())), q, k,
                   nullptr);
}

void require_attention_shapes(const Tensor& q, const Tensor& k, const Tensor& v) {
    require_shapes(fmt::format("attention: q {}, k {}, v {}", to_string(q.shape()), to_string(k.shape()),
                               to_string(v.shape())),
                   q, k, &v);
}

void require_splittable(const Tensor& x, std::size_t num_heads) {
    if (x.rank() != 3) {
        throw ShapeError(
            fmt::format("split_heads: x must be (batch, seq, width), not {}", to_string(x.shape())));
    }
    if (num_heads == 0 || x.size(-1) % num_heads != 0) {
        throw ShapeError(fmt::format("split_heads: {} heads don't divide the width {} of {}", num_heads,
                                     x.size(-1), to_string(x.shape())));
    }
}

void require_split(const Tensor& x) {
    if (x.rank() != 4) {
        throw ShapeError(
            fmt::format("merge_heads: x must be (batch, heads, seq, d), not {}", to_string(x.shape())));
    }
}

}  // namespace tfs
