// common/tensor.hpp · the tensor layer: everything a chapter needs to compute
#pragma once

#include "common/base/errors.hpp"
#include "common/base/rng.hpp"
#include "common/tensor/mask.hpp"
#include "common/tensor/ops.hpp"
#include "common/tensor/print.hpp"
#include "common/tensor/tensor.hpp"
