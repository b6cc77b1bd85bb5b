// common/nn.hpp · layers, named parameters, plain gradient descent, the length of gradients
#pragma once

#include "common/nn/gradient_length.hpp"
#include "common/nn/gradient_step.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/no_weights.hpp"
#include "common/nn/parameters.hpp"
