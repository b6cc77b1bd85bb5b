// common/report.hpp · what a section shows, as a value: tables, traces, maps, figures
#pragma once

#include "common/report/report.hpp"
#include "common/report/sinks.hpp"
#include "common/report/table.hpp"
