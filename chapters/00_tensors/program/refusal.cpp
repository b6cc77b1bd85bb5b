// chapters/00_tensors/program/refusal.cpp · an operation that is refused, and the sentence that says why
#include "chapters/00_tensors/program/refusal.hpp"

#include <string>

#include "common/base/errors.hpp"

namespace tfs {

void show_refusal(Trace& trace, const std::function<void()>& call) {
    try {
        call();
        trace.note("!!! this should have been refused");
    } catch (const NotImplemented&) {
        throw;
    } catch (const Error& error) {
        trace.note(std::string("refused: ") + error.what());
    }
}

}  // namespace tfs
