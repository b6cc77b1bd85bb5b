// common/text.hpp · UTF-8 text: its width on the screen, its words, characters and their ids
#pragma once

#include "common/terminal/display.hpp"
#include "common/text/tokenizer.hpp"
#include "common/text/units.hpp"
