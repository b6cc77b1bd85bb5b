// common/text.hpp · UTF-8 text: its width on the screen, its words, and their ids
#pragma once

#include "common/text/display.hpp"
#include "common/text/words.hpp"
