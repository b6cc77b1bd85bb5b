// common/show.hpp · what a terminal shows of a computation: traces, summaries, maps, measures
#pragma once

#include "common/show/heat_map.hpp"
#include "common/show/measure.hpp"
#include "common/show/named_shape.hpp"
#include "common/show/timing.hpp"
#include "common/show/trace.hpp"
#include "common/terminal/terminal.hpp"
