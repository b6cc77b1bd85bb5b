// chapters/00_tensors/program/refusal.hpp · an operation that is refused, and the sentence that says why
#pragma once

#include <functional>
#include <string>

#include "common/base/errors.hpp"

namespace tfs {

// "refused: …" with the error of what `call` must not do.
inline std::string refusal(const std::function<void()>& call) {
    try {
        call();
        return "!!! this should have been refused";
    } catch (const NotImplemented&) {
        throw;
    } catch (const Error& error) {
        return std::string("refused: ") + error.what();
    }
}

}  // namespace tfs
