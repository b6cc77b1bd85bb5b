// common/nn.hpp · layers, named parameters, plain gradient descent; offsets, keys and values, and weights of attention
#pragma once

#include "common/nn/gradient_length.hpp"
#include "common/nn/gradient_step.hpp"
#include "common/nn/keys_values.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/offset.hpp"
#include "common/nn/parameters.hpp"
#include "common/nn/weights.hpp"
