// common/figures.hpp · pictures as files: heat maps, lines, bars, arcs, drawings in a plane
#pragma once

#include "common/figures/figure.hpp"
#include "common/figures/panels.hpp"
