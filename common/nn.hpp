// common/nn.hpp · layers and named parameters
#pragma once

#include "common/nn/layers.hpp"
#include "common/nn/no_weights.hpp"
#include "common/nn/parameters.hpp"
