// tests/support/answers.cpp · which of its kept answers a step gives, chosen at run time
#include "tests/support/answers.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>

namespace tfs::test {

namespace {

// Inside a function: the answers of other files register while this one's variables may not be there yet.
std::map<std::string, Answers*>& registered() {
    static std::map<std::string, Answers*> all;
    return all;
}

}  // namespace

Answers::Answers(const char* step, std::initializer_list<const char*> names)
    : names_(names.begin(), names.end()) {
    registered()[step] = this;
}

int Answers::chosen(std::initializer_list<int> answers) const {
    int found = 0;
    for (const int one : chosen_) {
        if (std::find(answers.begin(), answers.end(), one) == answers.end()) continue;
        if (found != 0) std::_Exit(3);
        found = one;
    }
    return found;
}

void Answers::choose(const std::string& name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    const std::size_t plus = name.find('+');
    if (found != names_.end()) {
        chosen_.push_back(static_cast<int>(found - names_.begin()) + 1);
    } else if (plus != std::string::npos) {
        choose(name.substr(0, plus));
        choose(name.substr(plus + 1));
    } else {
        throw std::invalid_argument("there is no answer " + name);
    }
}

Answers* Answers::of(const std::string& step) {
    const auto found = registered().find(step);
    return found == registered().end() ? nullptr : found->second;
}

std::vector<std::string> Answers::steps() {
    std::vector<std::string> names;
    for (const auto& [name, answers] : registered()) names.push_back(name);
    return names;
}

}  // namespace tfs::test
