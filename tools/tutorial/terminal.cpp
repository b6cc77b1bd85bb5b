// tools/tutorial/terminal.cpp · sentences, as wide as the learner's terminal
#include "tools/tutorial/terminal.hpp"

#include <fmt/format.h>

#include <limits>

#include "common/terminal/display.hpp"

namespace tfs::tutorial {

void say(const Terminal& terminal, const std::string& sentence, std::size_t margin) {
    const std::size_t columns = terminal.columns.value_or(std::numeric_limits<std::size_t>::max());
    for (const std::string& line : wrap(sentence, columns, margin)) fmt::print("{}\n", line);
}

}  // namespace tfs::tutorial
