// tests/support/refusal.cpp · bad input must be refused: by the right error, in one sentence that names the numbers
#include "tests/support/refusal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "tests/support/close.hpp"

namespace tfs::test {

namespace {

template <class ErrorType>
const char* name_of() {
    if (std::is_same_v<ErrorType, ShapeError>) return "ShapeError";
    if (std::is_same_v<ErrorType, ValueError>) return "ValueError";
    return std::is_same_v<ErrorType, FileError> ? "FileError" : "Error";
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether sentence[begin, end) goes on as a number: a digit beside it, or a point and a digit.
bool inside_a_number(const std::string& sentence, std::size_t begin, std::size_t end) {
    const auto digit = [&](std::size_t i) { return i < sentence.size() && is_digit(sentence[i]); };
    const auto point = [&](std::size_t i) { return i < sentence.size() && sentence[i] == '.'; };
    const bool before = digit(begin - 1) || (point(begin - 1) && digit(begin - 2));
    return before || digit(end) || (point(end) && digit(end + 1));
}

bool contains(const std::string& sentence, const std::string& part) {
    const bool number = !part.empty() && std::all_of(part.begin(), part.end(), is_digit);
    for (std::size_t at = sentence.find(part); at != std::string::npos; at = sentence.find(part, at + 1))
        if (!number || !inside_a_number(sentence, at, at + part.size())) return true;
    return false;
}

std::vector<std::string> alternatives(const std::string& part) {
    std::vector<std::string> found(1);
    for (const char c : part) {
        if (c == '|') {
            found.emplace_back();
        } else {
            found.back() += c;
        }
    }
    return found;
}

// "3, 4 and 12 or 17"
std::string in_words(const std::vector<std::string>& parts) {
    std::string words;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        words += i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
        words += fmt::format("{}", fmt::join(alternatives(parts[i]), " or "));
    }
    return words;
}

// "the contract says ValueError, but a ShapeError came"
std::string another_type(const std::string& wanted, const std::string& came) {
    const bool vowel = std::string("aeiouAEIOU").find(came.front()) != std::string::npos;
    return fmt::format("the contract says {}, but {} {} came", wanted, vowel ? "an" : "a", came);
}

}  // namespace

Thrown thrown_by(const std::function<void()>& call) {
    try {
        call();
    } catch (const NotImplemented&) {
        throw;
    } catch (const ShapeError& error) {
        return {"ShapeError", error.what()};
    } catch (const ValueError& error) {
        return {"ValueError", error.what()};
    } catch (const FileError& error) {
        return {"FileError", error.what()};
    } catch (const Error& error) {
        return {"Error", error.what()};
    } catch (const std::exception& error) {
        return {"error of another library", error.what()};
    }
    return {};
}

bool names(const std::string& sentence, const std::string& part) {
    const std::vector<std::string> either = alternatives(part);
    return std::any_of(either.begin(), either.end(),
                       [&](const auto& one) { return contains(sentence, one); });
}

template <class ErrorType>
testing::AssertionResult refuses(const std::function<void()>& call, const std::vector<std::string>& named,
                                 const std::string& what) {
    const std::string begin = what.empty() ? "" : what + ": ", kind = name_of<ErrorType>();
    count_comparison();
    const auto [type, sentence] = thrown_by(call);
    if (type.empty())
        return testing::AssertionFailure() << begin << "no exception; expected a " << kind
                                           << (named.empty() ? "" : " that names " + in_words(named));
    const bool any = std::is_same_v<ErrorType, Error>;
    if (type != kind && !(any && type.ends_with("Error")))
        return testing::AssertionFailure() << begin << '"' << sentence << "\"; " << another_type(kind, type);
    std::vector<std::string> left_out;
    std::copy_if(named.begin(), named.end(), std::back_inserter(left_out),
                 [&said = sentence](const std::string& part) { return !names(said, part); });
    const bool one_line = sentence.find('\n') == std::string::npos;
    if (left_out.empty() && one_line) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << fmt::format("{}the {} says \"{}\"; {}", begin, kind, sentence,
                          one_line ? "it must name " + in_words(left_out) : "it must be one line");
}

template testing::AssertionResult refuses<ShapeError>(const std::function<void()>&,
                                                      const std::vector<std::string>&, const std::string&);
template testing::AssertionResult refuses<ValueError>(const std::function<void()>&,
                                                      const std::vector<std::string>&, const std::string&);
template testing::AssertionResult refuses<FileError>(const std::function<void()>&,
                                                     const std::vector<std::string>&, const std::string&);
template testing::AssertionResult refuses<Error>(const std::function<void()>&,
                                                 const std::vector<std::string>&, const std::string&);

}  // namespace tfs::test
