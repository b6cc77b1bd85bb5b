// common/show.hpp · everything a program needs to show what it computes: traces, summaries, maps, figures, options
#pragma once

#include "common/show/figure.hpp"
#include "common/show/heat_map.hpp"
#include "common/show/measure.hpp"
#include "common/show/options.hpp"
#include "common/show/program.hpp"
#include "common/show/summary.hpp"
#include "common/show/terminal.hpp"
#include "common/show/text.hpp"
#include "common/show/trace.hpp"
