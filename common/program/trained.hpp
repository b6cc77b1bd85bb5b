// common/program/trained.hpp · trained weights where they can do what is asked, and a line that says why where they can't
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "common/base/errors.hpp"
#include "common/report/report.hpp"

namespace tfs {

// What `load` returns. Where it throws an Error: nothing, after a line with the reason and what is shown `instead`, as in
// "the trained model does not know the word "yes"; the weights are random". A step that is not written yet is not caught.
template <class Load>
auto trained_or_reason(Report& report, const std::string& instead, const Load& load)
    -> std::optional<decltype(load())> {
    try {
        return load();
    } catch (const NotImplemented&) {
        throw;
    } catch (const Error& error) {
        report.note(fmt::format("{}; {}", error.what(), instead));
        return std::nullopt;
    }
}

}  // namespace tfs
