// tools/steps/hidden.hpp · solutions that can't be read at a glance, for the copy of a course
//
// In such a copy the answer of each gap is one line, "hidden: …", which the build turns back. Whoever wants to can do so, too: it keeps
// nobody from a solution but those who would see it by accident.
#pragma once

#include <string>

namespace tfs::steps {

// A solution whose gaps keep their task, and the wrong lines where a fault is to be found; of a file without gaps, a fast twin, only
// the first two lines stay, and of mistakes none. `where` names the file in an Error.
std::string hidden(const std::string& solution, const std::string& where);

// What hidden() was given.
std::string revealed(const std::string& text);

bool is_hidden(const std::string& text);

}  // namespace tfs::steps
