// common/program.hpp · all that the sections of a chapter's program need
#pragma once

#include "common/figures.hpp"
#include "common/io/weights.hpp"
#include "common/measure.hpp"
#include "common/program/chapter.hpp"
#include "common/program/option.hpp"
#include "common/report.hpp"
#include "common/text.hpp"
