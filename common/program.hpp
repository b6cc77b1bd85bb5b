// common/program.hpp · all that a chapter's program needs to show what it computes
#pragma once

#include "common/figures.hpp"
#include "common/program/chapter.hpp"
#include "common/program/chapter_program.hpp"
#include "common/program/options.hpp"
#include "common/program/program.hpp"
#include "common/program/show.hpp"
#include "common/program/weights.hpp"
#include "common/report.hpp"
#include "common/show.hpp"
#include "common/text.hpp"
