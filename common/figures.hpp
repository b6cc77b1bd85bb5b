// common/figures.hpp · pictures as files: heat maps, lines, bars, data flows
#pragma once

#include "common/figures/attention_panel.hpp"
#include "common/figures/figure.hpp"
