// tests/10_training/training_reference.cpp · the step of training written a second time, right and with one thing done wrong
#include "tests/10_training/training_reference.hpp"

#include <algorithm>
#include <cmath>

namespace tfs::test {

SmallModel::SmallModel(double chosen_dropout)
    : batch{as_ids(optimizer_golden()["training.inputs"]), as_ids(optimizer_golden()["training.targets"])},
      dropout(chosen_dropout) {
    for (const std::string name : {"embedding.weight", "output.weight", "output.bias"})
        parameters.push_back({name, parameter(optimizer_golden()["training.begin." + name])});
}

Model SmallModel::function() const {
    return [table = parameters[0].tensor, weight = parameters[1].tensor, bias = parameters[2].tensor,
            p = dropout](const Batch& given, Rng* rng) {
        Tensor x = tanh(embedding(table, given.inputs));
        if (rng != nullptr && p > 0.0) {
            const Tensor kept(rng->bernoulli_array(x.shape(), 1.0 - p));
            x = x * kept / static_cast<float>(1.0 - p);
        }
        return linear(x, weight, &bias);
    };
}

AdamW SmallModel::optimizer() const {
    return AdamW(parameters, {.beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-2, .weight_decay = 0.2});
}

double golden_training_rate(std::size_t t) { return optimizer_golden()["training.rates"].at({t}); }

const std::vector<NamedTraining>& training_mistakes() {
    static const std::vector<NamedTraining> all{
        {"the gradients are not cleared: backward() adds to those of the last step", {.not_cleared = true}},
        {"no gradient reaches the optimizer: loss.backward() is missing, or the gradients are cleared after "
         "it",
         {.no_gradient = true}},
        {"the optimizer steps before loss.backward(), without a gradient", {.step_before_backward = true}},
        {"the optimizer finds no gradient: clear_grads comes first in the step, not between clipping and the "
         "optimizer",
         {.cleared_before_step = true}},
        {"the step is taken by a copy of the optimizer, which forgets m, v and steps; take `optimizer` "
         "itself",
         {.optimizer_copied = true}},
        {"dropout is off: the model is given no Rng", {.no_rng = true}},
        {"every step drops the same: the Rng is copied; hand on &rng itself", {.rng_copied = true}},
        {"the targets are batch.inputs; they are batch.targets", {.inputs_for_targets = true}},
        {"the gradients are not clipped", {.no_clip = true}},
        {"the gradients are clipped after the step of the optimizer; clip before it",
         {.clip_after_step = true}},
        {"the limit of clipping is not that of the options: options.largest_gradient",
         {.limit_of_default = true}},
        {"the limit of clipping is not that of the options: options.largest_gradient",
         {.limit_is_smoothing = true}},
        {"the smoothing is not passed on: options.label_smoothing", {.no_smoothing = true}},
        {"the smoothing is not passed on: options.label_smoothing", {.smoothing_of_limit = true}},
        {"the rate is not passed on: optimizer.step(rate)", {.rate_of_default = true}},
        {"the optimizer takes no step", {.no_step = true}},
        {"the optimizer takes two steps", {.two_steps = true}},
        {"the loss after the step is reported; report that before it", {.loss_after = true}},
        {"the norm after clipping is reported; clip_by_global_norm returns that before",
         {.norm_after = true}},
        {"loss and norm are exchanged in the report", {.report_exchanged = true}},
        {"the norm is not reported: clip_by_global_norm returns it", {.norm_is_not_reported = true}}};
    return all;
}

double reference_clip(Parameters parameters, double largest) {
    double squares = 0.0;
    for (const NamedTensor& p : parameters)
        if (p.tensor.has_grad())
            for (const float g : p.tensor.grad()) squares += double{g} * g;
    const double norm = std::sqrt(squares);
    if (norm > largest)
        for (NamedTensor& p : parameters)
            if (p.tensor.has_grad()) p.tensor.mutable_grad() *= static_cast<float>(largest / norm);
    return norm;
}

StepReport reference_training_step(const SmallModel& model, AdamW& optimizer, double rate, Rng& rng,
                                   const TrainingMistake& wrong) {
    StepOptions options = training_options;
    if (wrong.no_smoothing) options.label_smoothing = 0.0;
    if (wrong.smoothing_of_limit) options.label_smoothing = options.largest_gradient;
    if (wrong.limit_of_default) options.largest_gradient = 1.0;
    if (wrong.limit_is_smoothing) options.largest_gradient = options.label_smoothing;
    if (wrong.rate_of_default) rate = 1e-3;
    const double limit = options.largest_gradient, endless = 1e30;

    const Rng before = rng;
    const auto loss_now = [&] {
        return cross_entropy(model.function()(model.batch, wrong.no_rng ? nullptr : &rng),
                             wrong.inputs_for_targets ? model.batch.inputs : model.batch.targets,
                             options.label_smoothing);
    };
    if (!wrong.not_cleared) clear_grads(optimizer.parameters);
    const Tensor loss = loss_now();
    if (wrong.rng_copied) rng = before;
    if (wrong.step_before_backward) optimizer.step(rate);
    if (!wrong.no_gradient) loss.backward();
    double norm =
        reference_clip(optimizer.parameters, wrong.no_clip || wrong.clip_after_step ? endless : limit);
    if (wrong.cleared_before_step) clear_grads(optimizer.parameters);
    AdamW copy = optimizer;
    AdamW& stepping = wrong.optimizer_copied ? copy : optimizer;
    if (!wrong.no_step && !wrong.step_before_backward) stepping.step(rate);
    if (wrong.clip_after_step) reference_clip(optimizer.parameters, limit);
    if (wrong.two_steps) stepping.step(rate);
    if (wrong.norm_after) norm = std::min(norm, limit);
    if (wrong.norm_is_not_reported) norm = 0.0;
    const double told = wrong.loss_after ? loss_now().item() : loss.item();
    if (wrong.report_exchanged) return {norm, told};
    return {told, norm};
}

}  // namespace tfs::test
