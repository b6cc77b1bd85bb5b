// tests/10_training/adamw_reference.cpp · AdamW written a second time, right and with one thing done wrong
#include "tests/10_training/adamw_reference.hpp"

#include <cmath>

namespace tfs::test {

namespace {

using Values = std::vector<double>;

bool is_pulled(const NamedTensor& parameter, Which which) {
    const bool matrix = parameter.tensor.rank() >= 2,
               positions = parameter.name.find("positions") != std::string::npos;
    switch (which) {
        case Which::all:
            return true;
        case Which::none:
            return false;
        case Which::others:
            return !(matrix && !positions);
        case Which::positions_too:
            return matrix;
        case Which::one_axis_too:
            return !positions;
        case Which::right:
            break;
    }
    return matrix && !positions;
}

// The direction m / (sqrt(v) + epsilon) of the contract, from means that are not yet corrected.
double direction(double m, double v, double t, double g, const AdamWOptions& o, const AdamWMistake& wrong) {
    double of_m = 1.0 - std::pow(o.beta1, t), of_v = 1.0 - std::pow(o.beta2, t);
    if (wrong.product_for_power) of_m = 1.0 - o.beta1 * t, of_v = 1.0 - o.beta2 * t;
    if (wrong.corrections_exchanged) std::swap(of_m, of_v);
    if (wrong.corrections_multiplied) of_m = 1.0 / of_m, of_v = 1.0 / of_v;
    if (wrong.m_uncorrected) of_m = 1.0;
    if (wrong.v_uncorrected) of_v = 1.0;
    const double mean = wrong.g_for_m ? g : m / of_m, square = v / of_v;
    if (wrong.without_v) return mean;
    switch (wrong.root) {
        case Root::epsilon_inside:
            return mean / std::sqrt(square + o.epsilon);
        case Root::epsilon_missing:
            return mean / std::sqrt(square);
        case Root::epsilon_before_correction:
            return mean / ((std::sqrt(v) + o.epsilon) / std::sqrt(of_v));
        case Root::correction_outside:
            return mean / (std::sqrt(v) / of_v + o.epsilon);
        case Root::missing:
            return mean / (square + o.epsilon);
        case Root::right:
            break;
    }
    return mean / (std::sqrt(square) + o.epsilon);
}

void move(double& p, double& kept_m, double& kept_v, double g, double t, bool pulled, double rate,
          AdamWOptions o, const AdamWMistake& wrong) {
    if (wrong.default_options) o = {};
    if (wrong.betas_exchanged) std::swap(o.beta1, o.beta2);
    const double decay = pulled ? o.weight_decay : 0.0, began = p;
    if (wrong.pull == Pull::by_the_gradient) g += decay * p;
    if (wrong.pull == Pull::right || wrong.pull == Pull::twice) p -= rate * decay * p;
    if (wrong.pull == Pull::twice) p -= rate * decay * p;
    if (wrong.pull == Pull::without_the_rate) p -= decay * p;
    if (wrong.pull == Pull::away) p += rate * decay * p;

    const double before_m = wrong.m_forgotten ? 0.0 : kept_m, before_v = wrong.v_forgotten ? 0.0 : kept_v;
    double keep_m = o.beta1, take_m = 1.0 - o.beta1, keep_v = o.beta2, take_v = 1.0 - o.beta2;
    if (wrong.m_shares_exchanged) std::swap(keep_m, take_m);
    if (wrong.v_shares_exchanged) std::swap(keep_v, take_v);
    if (wrong.m_adds_all) take_m = 1.0;
    if (wrong.v_adds_all) take_v = 1.0;
    const double m = keep_m * before_m + take_m * g;
    const double v = keep_v * before_v + take_v * (wrong.v_of_g ? std::abs(g) : wrong.v_of_m ? m * m : g * g);
    const double d = wrong.means_of_before ? direction(before_m, before_v, t, g, o, wrong)
                                           : direction(m, v, t, g, o, wrong);
    p += (wrong.up ? 1.0 : -1.0) * (wrong.no_rate ? 1.0 : rate) * d;
    if (wrong.pull == Pull::after_the_move) p -= rate * decay * p;
    if (wrong.stays) p = began;
    kept_m = wrong.corrected_means_kept ? m / (1.0 - std::pow(o.beta1, t)) : m;
    kept_v = wrong.corrected_means_kept ? v / (1.0 - std::pow(o.beta2, t)) : v;
}

Tensor joined(const std::vector<Values>& all) {
    std::vector<float> values;
    for (const Values& one : all)
        for (const double value : one) values.push_back(static_cast<float>(value));
    const std::size_t count = values.size();
    return Tensor::from({count}, std::move(values));
}

Values doubles(const Array& array) { return {array.data(), array.data() + array.size()}; }

}  // namespace

void set_gradient(Tensor& parameter, const std::optional<Array>& gradient) {
    parameter.clear_grad();
    if (gradient) add_to_grad(parameter, *gradient);
}

AdamWState state_of(const AdamW& optimizer) {
    AdamWState state;
    for (std::size_t i = 0; i < optimizer.parameters.size(); ++i) {
        state.values.push_back(doubles(optimizer.parameters[i].tensor.array()));
        state.m.push_back(doubles(optimizer.m[i]));
        state.v.push_back(doubles(optimizer.v[i]));
    }
    state.steps = optimizer.steps;
    return state;
}

void reference_step(AdamWState& state, const AdamW& optimizer, double rate, const AdamWMistake& wrong) {
    if (wrong.count != Count::of_each_parameter && wrong.count != Count::never) ++state.steps;
    if (wrong.count == Count::twice) ++state.steps;
    for (std::size_t i = 0; i < optimizer.parameters.size(); ++i) {
        const NamedTensor& parameter = optimizer.parameters[i];
        const bool pulled = is_pulled(parameter, wrong.decaying), has_grad = parameter.tensor.has_grad();
        const std::size_t own = wrong.one_state ? 0 : i;
        if (wrong.count == Count::of_each_parameter) ++state.steps;
        if (!has_grad && wrong.absent == Absent::ends_the_step) return;
        if (!has_grad && wrong.absent == Absent::is_pulled && pulled)
            for (double& p : state.values[i]) p -= rate * optimizer.options.weight_decay * p;
        if (!has_grad && wrong.absent == Absent::loses_its_means) {
            state.m[i].assign(state.m[i].size(), 0.0);
            state.v[i].assign(state.v[i].size(), 0.0);
        }
        if (!has_grad && wrong.absent != Absent::is_zero) continue;
        const double t = wrong.count == Count::always_1 ? 1.0
                         : wrong.count == Count::from_0 ? static_cast<double>(state.steps) - 1.0
                                                        : static_cast<double>(state.steps);
        for (std::size_t j = 0; j < state.values[i].size(); ++j) {
            const double g = has_grad ? static_cast<double>(parameter.tensor.grad().data()[j]) : 0.0;
            move(state.values[i][j], state.m[own][j], state.v[own][j], g, t, pulled, rate, optimizer.options,
                 wrong);
        }
    }
}

const std::vector<NamedMistake>& adamw_mistakes() {
    static const std::vector<NamedMistake> all{
        {"m is not corrected: divide it by 1 - beta1^t", {.m_uncorrected = true}},
        {"v is not corrected: divide it by 1 - beta2^t", {.v_uncorrected = true}},
        {"neither m nor v is corrected: divide them by 1 - beta1^t and 1 - beta2^t",
         {.m_uncorrected = true, .v_uncorrected = true}},
        {"the corrections are exchanged: beta1 belongs to m, beta2 to v", {.corrections_exchanged = true}},
        {"the means are multiplied by 1 - beta^t; they must be divided", {.corrections_multiplied = true}},
        {"the corrections are 1 - beta * t; t is an exponent", {.product_for_power = true}},
        {"the parameters do not move: their values are changed through mutable_array(), not in a copy",
         {.stays = true}},
        {"the corrected means are kept for the next step; m and v are kept as they were before the "
         "correction",
         {.corrected_means_kept = true}},
        {"m is not kept from step to step", {.m_forgotten = true}},
        {"v is not kept from step to step", {.v_forgotten = true}},
        {"neither m nor v is kept from step to step", {.m_forgotten = true, .v_forgotten = true}},
        {"p moves by the m and v of the step before; they take in this step's gradient first",
         {.means_of_before = true}},
        {"all parameters share one m and one v: m[i] and v[i] belong to parameters[i]", {.one_state = true}},
        {"beta1 and beta2 are exchanged: beta1 belongs to m, beta2 to v", {.betas_exchanged = true}},
        {"beta1 and 1 - beta1 are exchanged: most of the old m stays", {.m_shares_exchanged = true}},
        {"beta2 and 1 - beta2 are exchanged: most of the old v stays", {.v_shares_exchanged = true}},
        {"beta and 1 - beta are exchanged, in m and in v: most of the old mean stays",
         {.m_shares_exchanged = true, .v_shares_exchanged = true}},
        {"m takes in all of g: the factor 1 - beta1 is missing", {.m_adds_all = true}},
        {"v takes in all of g²: the factor 1 - beta2 is missing", {.v_adds_all = true}},
        {"m and v take in all of the gradient: the factors 1 - beta1 and 1 - beta2 are missing",
         {.m_adds_all = true, .v_adds_all = true}},
        {"v is the mean of |g|; take the mean of g²", {.v_of_g = true}},
        {"v is the mean of m²; take the mean of g²", {.v_of_m = true}},
        {"p follows the gradient of this step alone; it must follow m", {.g_for_m = true}},
        {"m is not divided by the root of v", {.without_v = true}},
        {"p moves up the gradient: the direction is subtracted", {.up = true}},
        {"the direction is not multiplied by the rate", {.no_rate = true}},
        {"the betas, epsilon and the decay are those of the defaults; take them from `options`",
         {.default_options = true}},
        {"every parameter decays; ask decays(parameter)", {.decaying = Which::all}},
        {"nothing decays", {.decaying = Which::none}},
        {"the wrong parameters decay: those that should not", {.decaying = Which::others}},
        {"the table of positions decays", {.decaying = Which::positions_too}},
        {"parameters of one axis decay: biases, gamma and beta", {.decaying = Which::one_axis_too}},
        {"the decay goes through the gradient (L2), so that m and v take it in; it is taken from p alone",
         {.pull = Pull::by_the_gradient}},
        {"the decay is not multiplied by the rate", {.pull = Pull::without_the_rate}},
        {"the decay is that of the p that has moved; decay comes first", {.pull = Pull::after_the_move}},
        {"the decay pulls away from 0: it is subtracted", {.pull = Pull::away}},
        {"the decay is taken twice", {.pull = Pull::twice}},
        {"epsilon is inside the root; it is added to the root", {.root = Root::epsilon_inside}},
        {"epsilon is missing", {.root = Root::epsilon_missing}},
        {"epsilon is added before v is corrected", {.root = Root::epsilon_before_correction}},
        {"v is corrected outside of its root: it is sqrt(v / (1 - beta2^t))",
         {.root = Root::correction_outside}},
        {"m is divided by v, not by its root", {.root = Root::missing}},
        {"t is one too small: the step is counted first, so that t is 1 at the first step",
         {.count = Count::from_0}},
        {"steps is not counted: ++steps is the first thing that a step does", {.count = Count::never}},
        {"t is always 1: it is the number of this step, ++steps", {.count = Count::always_1}},
        {"the step is counted once for each parameter; count it once, before the loop",
         {.count = Count::of_each_parameter}},
        {"the step is counted twice", {.count = Count::twice}},
        {"the step ends at the first parameter without a gradient; go on with the next (continue)",
         {.absent = Absent::ends_the_step}},
        {"a parameter without a gradient moves as if its gradient were 0; it must stay as it is",
         {.absent = Absent::is_zero}},
        {"a parameter without a gradient decays; it must stay as it is", {.absent = Absent::is_pulled}},
        {"a parameter without a gradient loses its m and v; they stay as they are",
         {.absent = Absent::loses_its_means}}};
    return all;
}

Tensor all_of(const AdamWState& state, Part part) {
    return joined(part == Part::values ? state.values : part == Part::m ? state.m : state.v);
}

Tensor all_of(const AdamW& optimizer, Part part) { return all_of(state_of(optimizer), part); }

}  // namespace tfs::test
