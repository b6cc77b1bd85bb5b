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

}  // namespace tfs
