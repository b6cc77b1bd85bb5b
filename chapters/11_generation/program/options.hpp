// chapters/11_generation/program/options.hpp · what several sections of chapter 11 share
#pragma once

#include "chapters/11_generation/generation.hpp"
#include "common/program.hpp"

namespace tfs {}
