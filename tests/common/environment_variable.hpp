// tests/common/environment_variable.hpp · an environment variable that has another value for a while
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace tfs::test {

class Variable {
  public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name); before != nullptr) before_ = before;
        setenv(name, value, 1);
    }
    ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    const char* name_;
    std::optional<std::string> before_;
};

}  // namespace tfs::test
