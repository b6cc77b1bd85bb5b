// common/figures.hpp · pictures as files: heat maps, lines, bars, arcs, drawings in a plane
#pragma once

#include "common/figures/attention_panel.hpp"
#include "common/figures/figure.hpp"
