// chapters/05_feed_forward/program/activation_curves.hpp · the activations as curves: values, derivatives, errors of the approximations
#pragma once

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "common/program.hpp"

namespace tfs {

struct NamedActivation {
    std::string name;
    Activation activation;
};
const std::vector<NamedActivation>& all_activations();

// Prints where the curves are lowest and steepest; the figure has values and derivatives.
LineFigure show_activations(Show& show);

// The distance of both approximations from the exact GELU (in double): the largest, where, and the curves.
LineFigure measure_approximations(Show& show);

}  // namespace tfs
