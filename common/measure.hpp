// common/measure.hpp · what programs measure: differences, sizes, angles, entropies, times
#pragma once

#include "common/measure/measures.hpp"
#include "common/measure/timing.hpp"
