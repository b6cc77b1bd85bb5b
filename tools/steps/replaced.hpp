// tools/steps/replaced.hpp · what contracts said in earlier versions, and what to write now
#pragma once

#include <string>
#include <vector>

#include "tools/steps/tutorial.hpp"

namespace tfs::steps {

struct Replaced {
    Lines steps;  // in whose files it may stand; none: in all
    std::string text;
    std::string said;  // a regular expression: what the compiler says of a line with this text
    std::string now;   // a sentence
};

// The lines of solutions/earlier_contracts.txt, where there is such a file. Error where one has other than four parts.
std::vector<Replaced> read_replaced(const Tutorial& tutorial);

// A line of a learner's file that does not compile, and what the compiler said of it.
struct Fault {
    std::string line;
    Lines said;
};

// Whether code of this step has a text that was replaced: then it may not compile.
bool holds_replaced(const std::string& text, const std::string& step, const std::vector<Replaced>& all);

// The sentences of all that was replaced and because of which a line of this step does not compile, each once.
Lines replaced_in(const std::vector<Fault>& faults, const std::string& step,
                  const std::vector<Replaced>& all);

}  // namespace tfs::steps
