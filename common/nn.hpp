// common/nn.hpp · layers, named parameters, plain gradient descent; offsets, keys and values, and weights of attention
#pragma once

#include "common/nn/keys_values.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/parameters.hpp"
