// common/nn.hpp · layers and named parameters
#pragma once

#include "common/nn/layers.hpp"
#include "common/nn/parameters.hpp"
