// chapters/10_training/given/training.cpp · checks, batches of examples, the state of AdamW
#include "chapters/10_training/given/training_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "chapters/10_training/training.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

std::size_t require_targets(const Tensor& logits, const Ids& targets, double label_smoothing) {
    require_shapes("cross_entropy", {{"logits", logits, "... vocab+"},
                                     {"targets", targets, "...", "each row of scores has one target"}});
    if (!(label_smoothing >= 0.0 && label_smoothing <= 1.0))
        throw ValueError(fmt::format("cross_entropy: label smoothing {} must be in 0 … 1", label_smoothing));
    const auto vocab = static_cast<std::int64_t>(logits.size(-1));
    std::size_t asked = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const std::int64_t target = targets.data()[i];
        if (target == ignored) continue;
        if (target < 0 || target >= vocab) {
            throw ValueError(
                fmt::format("cross_entropy: target {} at entry {} is neither in 0 … {} nor ignored ({})",
                            target, i, vocab - 1, ignored));
        }
        ++asked;
    }
    if (asked == 0) throw ValueError("cross_entropy: all targets are ignored, so there is nothing to learn");
    return asked;
}

void require_examples(const std::vector<Example>& examples) {
    if (examples.empty()) throw ValueError("make_batch: there are no examples");
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const std::size_t ids = examples[i].input.size(), targets = examples[i].target.size();
        if (ids == 0) throw ValueError(fmt::format("make_batch: example {} is empty", i));
        if (ids != targets)
            throw ValueError(
                fmt::format("make_batch: example {} has {} ids and {} targets", i, ids, targets));
        if (examples[i].source.empty() != examples[0].source.empty())
            throw ValueError(fmt::format("make_batch: of the examples 0 and {} only one has a source", i));
    }
}

void require_batches(std::size_t count, std::size_t batch_size) {
    if (count == 0) throw ValueError("shuffled_batches: there are 0 examples");
    if (batch_size == 0) throw ValueError("shuffled_batches: batches of 0 examples");
    require_addressable({count}, sizeof(std::vector<std::size_t>));
}

void require_windows(const char* what, std::size_t ids, std::size_t begin, std::size_t length,
                     std::size_t batch_size) {
    if (length == 0 || batch_size == 0)
        throw ValueError(fmt::format("{}: a window of 0 ids, or no window", what));
    if (begin >= ids || length >= ids - begin)
        throw ValueError(
            fmt::format("{}: a window of {} ids that begins at {} needs {} ids, the last one as a target; "
                        "the text has {}",
                        what, length, begin, begin + length + 1, ids));
}

void require_options(const AdamWOptions& options) {
    const auto is_share = [](double beta) { return beta >= 0.0 && beta < 1.0; };
    if (!is_share(options.beta1) || !is_share(options.beta2)) {
        throw ValueError(fmt::format("AdamW: beta1 {} and beta2 {} must be at least 0 and below 1",
                                     options.beta1, options.beta2));
    }
    constexpr double least =
        1e-20;  // v is a float: of smaller gradients it keeps nothing that epsilon could be added to
    if (!std::isfinite(options.epsilon) || options.epsilon < least)
        throw ValueError(
            fmt::format("AdamW: epsilon is {}; it must be finite and at least {}", options.epsilon, least));
    if (!std::isfinite(options.weight_decay) || options.weight_decay < 0.0)
        throw ValueError(
            fmt::format("AdamW: weight decay {} must be finite and not below 0", options.weight_decay));
}

void require_finite_rate(std::string_view what, double rate) {
    if (!std::isfinite(rate))
        throw ValueError(fmt::format("{} {} must be finite; the weights would become NaN", what, rate));
}

void require_step(const AdamW& optimizer, double rate) {
    require_finite_rate("AdamW: the learning rate", rate);
    const std::size_t count = optimizer.parameters.size();
    if (optimizer.m.size() != count || optimizer.v.size() != count)
        throw ValueError(
            fmt::format("AdamW: there are {} parameters, and the optimizer has {} m and {} v; make a new "
                        "optimizer when the "
                        "parameters change",
                        count, optimizer.m.size(), optimizer.v.size()));
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [name, tensor] = optimizer.parameters[i];
        if (shape_of(optimizer.m[i]) != tensor.shape() || shape_of(optimizer.v[i]) != tensor.shape())
            throw ValueError(
                fmt::format("AdamW: the shape of {} is {} now, but that of its m is {}, and of its v {}; "
                            "make a new optimizer",
                            name, to_string(tensor.shape()), to_string(shape_of(optimizer.m[i])),
                            to_string(shape_of(optimizer.v[i]))));
    }
}

void require_norm(const Parameters& parameters, double largest, double norm) {
    if (!(largest > 0.0))
        throw ValueError(fmt::format("clip_by_global_norm: the limit {} must be above 0", largest));
    if (std::isfinite(norm)) return;
    for (const NamedTensor& parameter : parameters) {
        if (!parameter.tensor.has_grad()) continue;
        const Array& gradient = parameter.tensor.grad();
        if (std::any_of(gradient.begin(), gradient.end(), [](float value) { return !std::isfinite(value); }))
            throw ValueError(
                fmt::format("clip_by_global_norm: the gradient of {} is not finite; the loss overflowed, or "
                            "the learning rate is too large",
                            parameter.name));
    }
    throw ValueError("clip_by_global_norm: the gradient is too long for a double");
}

void require_schedule(const WarmupCosine& schedule, std::size_t step) {
    if (step == 0) throw ValueError("learning_rate: steps are counted from 1");
    if (schedule.warmup >= schedule.total) {
        throw ValueError(fmt::format("learning_rate: a warm-up of {} steps must be shorter than all {}",
                                     schedule.warmup, schedule.total));
    }
    require_finite_rate("learning_rate: the peak", schedule.peak);
    require_finite_rate("learning_rate: the final rate", schedule.final);
}

namespace {

// The rows that `row_of` an example gives, filled up at their end to the longest one.
template <class RowOf>
Ids padded(const std::vector<Example>& examples, std::int64_t filler, const RowOf& row_of) {
    std::size_t longest = 0;
    for (const Example& example : examples) longest = std::max(longest, row_of(example).size());
    Ids rows = Ids::from_shape({examples.size(), longest});
    rows.fill(filler);
    for (std::size_t i = 0; i < examples.size(); ++i)
        std::copy(row_of(examples[i]).begin(), row_of(examples[i]).end(), rows.data() + i * longest);
    return rows;
}

}  // namespace

Batch make_batch(const std::vector<Example>& examples, std::int64_t pad_id) {
    require_examples(examples);
    const auto input = [](const Example& example) -> const auto& { return example.input; };
    const auto target = [](const Example& example) -> const auto& { return example.target; };
    const auto source = [](const Example& example) -> const auto& { return example.source; };
    Batch batch{padded(examples, pad_id, input), padded(examples, ignored, target)};
    if (!examples.front().source.empty()) batch.source = padded(examples, pad_id, source);
    return batch;
}

std::size_t Batch::target_count() const {
    return targets.size() - static_cast<std::size_t>(std::count(targets.begin(), targets.end(), ignored));
}

std::vector<std::vector<std::size_t>> shuffled_batches(std::size_t count, std::size_t batch_size, Rng& rng) {
    require_batches(count, batch_size);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
    std::vector<std::vector<std::size_t>> batches;
    for (std::size_t begin = 0; begin < count; begin += batch_size) {
        const std::size_t end = std::min(begin + batch_size, count);
        batches.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(begin),
                             order.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return batches;
}

bool decays(const NamedTensor& parameter) {
    return parameter.tensor.rank() >= 2 && parameter.name.find("positions") == std::string::npos;
}

AdamW::AdamW(Parameters all, const AdamWOptions& chosen) : parameters(std::move(all)), options(chosen) {
    require_options(options);
    for (NamedTensor& parameter : parameters) {
        parameter.tensor.set_requires_grad(true);
        m.push_back(Tensor::zeros(parameter.tensor.shape()).array());
        v.push_back(m.back());
    }
}

}  // namespace tfs
