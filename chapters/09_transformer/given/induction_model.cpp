// chapters/09_transformer/given/induction_model.cpp · a decoder of two layers of attention with weights by hand, given
#include <fmt/format.h>

#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

namespace {

constexpr std::size_t vocab = InductionModel::vocab_size, width = InductionModel::d_model;

void require_square(const char* name, const Array& weight) {
    const Shape shape = shape_of(weight);
    if (shape == Shape{width, width}) return;
    throw ShapeError(
        fmt::format("induction model: {} must be ({}, {}), not {}", name, width, width, to_string(shape)));
}

void require_text(const Ids& ids) {
    if (ids.dimension() != 2 || ids.shape(0) != 1 || ids.size() == 0 || ids.size() > InductionModel::max_len)
        throw ValueError(fmt::format("induction model: the text must be (1, 1 ... {}), not {}",
                                     InductionModel::max_len, to_string(shape_of(ids))));
    for (const std::int64_t id : ids)
        if (id < 0 || id >= static_cast<std::int64_t>(vocab))
            throw ValueError(fmt::format("induction model: id {} is not in 0 ... {}", id, vocab - 1));
}

// The token, 16 free columns, the position: (1, 1, seq, d_model), one head of one text.
Tensor embedded(const Ids& ids) {
    const std::size_t seq = ids.size();
    Array tokens = Tensor::zeros({seq, 2 * vocab}).array();
    for (std::size_t i = 0; i < seq; ++i) tokens(i, static_cast<std::size_t>(ids.data()[i])) = 1.0f;
    const SinusoidalPositionalEncoding positions(InductionModel::d_position, InductionModel::max_len);
    return reshape(concat({Tensor(std::move(tokens)), slice(positions.table, 0, 0, seq)}, 1),
                   {1, 1, seq, width});
}

AttentionOutput attend(const HandMadeLayer& layer, const Tensor& x) {
    require_square("w_q", layer.w_q);
    require_square("w_k", layer.w_k);
    require_square("w_v", layer.w_v);
    return scaled_dot_product_attention(linear(x, Tensor(layer.w_q)), linear(x, Tensor(layer.w_k)),
                                        linear(x, Tensor(layer.w_v)), causal_mask(x.size(-2)));
}

Array as_table(const Tensor& x) { return reshape(x, {x.size(-2), x.size(-1)}).array(); }

HandMadeLayer zeros() {
    const Array none = Tensor::zeros({width, width}).array();
    return {none, none, none};
}

}  // namespace

InductionModel::InductionModel() : first(zeros()), second(zeros()) {}

InductionRun run_induction(const InductionModel& model, const Ids& ids) {
    require_text(ids);
    const NoGrad no_grad;
    const std::size_t seq = ids.size();
    const Tensor x = embedded(ids);
    const AttentionOutput first = attend(model.first, x);
    const Tensor after_first = x + first.output;
    const AttentionOutput second = attend(model.second, after_first);
    const Tensor logits = slice(after_first + second.output, 3, 0, vocab);  // times the rows of the embedding
    return {reshape(logits, {1, seq, vocab}), as_table(after_first), as_table(first.weights),
            as_table(second.weights)};
}

}  // namespace tfs
