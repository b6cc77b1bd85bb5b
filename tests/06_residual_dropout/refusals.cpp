// tests/06_residual_dropout/refusals.cpp · what dropout and the residuals must refuse, and why they may not
#include "tests/06_residual_dropout/refusals.hpp"

#include <fmt/ranges.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {

namespace {

// However the number is written: as 1, 1.0 or 1.000000.
bool names_number(const std::string& sentence, double p) {
    if (std::isnan(p)) {
        std::string small = sentence;
        for (char& letter : small) letter = static_cast<char>(std::tolower(letter));
        return small.find("nan") != std::string::npos;
    }
    const std::string digits = "0123456789";
    for (std::size_t at = sentence.find_first_of(digits); at != std::string::npos;) {
        const std::size_t begin = at > 0 && sentence[at - 1] == '-' ? at - 1 : at;
        char* end = nullptr;
        if (std::abs(std::strtod(sentence.c_str() + begin, &end) - p) < 1e-6) return true;
        at = sentence.find_first_of(digits, static_cast<std::size_t>(end - sentence.c_str()));
    }
    return false;
}

const std::vector<double> bad_rates{1.0, 1.5, -0.25, std::numeric_limits<double>::quiet_NaN()};

std::string accepted_cause(const std::vector<double>& accepted, const std::string& unchecked) {
    if (accepted.size() == bad_rates.size()) return unchecked;
    const std::string ask = "; ask !(p >= 0 && p < 1), which is true for NaN as well";
    const bool one = accepted[0] == 1.0, one_alone = accepted.size() == 1;
    if (one && (one_alone || std::isnan(accepted[1])))
        return "p = 1 is accepted: 1/(1-p) divides by zero" + (one_alone ? "" : ask);
    if (std::isnan(accepted[0])) return "NaN passes: it is neither < 0 nor >= 1" + ask;
    const std::string which = one                 ? "a p of 1 or more passes"
                              : accepted[0] < 0.0 ? "a negative p passes"
                                                  : "a p above 1 passes";
    return which + ask;
}

// In evaluation, where nothing but the step itself looks at p. Whether it refuses all.
bool refuses_rates_in_evaluation(const std::function<void(double, Rng*)>& call,
                                 const std::string& unchecked) {
    std::vector<double> accepted;
    std::string of_another_type, without_p;
    for (const double p : bad_rates) {
        const Thrown thrown = thrown_by([&] { call(p, nullptr); });
        const std::string says = fmt::format("p = {}: {} says \"{}\"", p, thrown.type, thrown.sentence);
        if (thrown.type.empty()) {
            accepted.push_back(p);
        } else if (thrown.type != "ValueError") {
            if (of_another_type.empty())
                of_another_type = says + likely_if(true, another_type("ValueError", thrown));
        } else if (!names_number(thrown.sentence, p) && without_p.empty()) {
            without_p = says + likely_if(true, "the ValueError must name p (require_rate does)");
        }
    }
    if (!accepted.empty())
        ADD_FAILURE() << fmt::format("p = {}, in evaluation (rng null): no exception",
                                     fmt::join(accepted, ", "))
                      << likely_if(true, accepted_cause(accepted, unchecked));
    if (!of_another_type.empty()) ADD_FAILURE() << of_another_type;
    if (!without_p.empty()) ADD_FAILURE() << without_p;
    return accepted.empty() && of_another_type.empty() && without_p.empty();
}

}  // namespace

void expect_rates_refused(const std::function<void(double, Rng*)>& call, const std::string& unchecked) {
    Rng rng(8);
    call(0.5, &rng);
    if (!refuses_rates_in_evaluation(call, unchecked)) return;  // training would only say it again
    for (const double p : bad_rates) {
        const Thrown thrown = thrown_by([&] { call(p, &rng); });
        if (thrown.type == "ValueError" && names_number(thrown.sentence, p)) continue;
        FAIL() << fmt::format("p = {}, in training: ", p)
               << (thrown.type.empty() ? "no exception" : thrown.type + " says \"" + thrown.sentence + "\"")
               << likely_if(true, "p is checked in evaluation only; check it in training, too");
    }
}

void expect_shapes_refused(const std::function<Tensor(const Tensor&, const Sublayer&)>& call) {
    const Tensor x = normal({2, 4, 6}, 9);
    const Tensor y = call(x, [](const Tensor& t) { return t * 0.5f; });
    ASSERT_TRUE(has_shape(y, x.shape()));
    std::vector<std::string> accepted;
    bool same_size = true;
    for (const Shape& shape :
         {Shape{2, 4, 5}, Shape{2, 4, 1}, Shape{6}, Shape{3, 2, 4, 6}, Shape{1, 2, 4, 6}}) {
        const auto of_shape = [&] { call(x, [&](const Tensor&) { return Tensor::ones(shape); }); };
        const std::string what = "a sublayer that returns " + to_string(shape) + " for (2, 4, 6)";
        const Thrown thrown = thrown_by(of_shape);
        if (thrown.type.empty()) {
            accepted.push_back(to_string(shape));
            same_size = same_size && Tensor::ones(shape).size() == x.size();
        } else if (thrown.type != "ShapeError") {
            FAIL() << what << ": \"" << thrown.sentence << '"'
                   << likely_if(true, another_type("ShapeError", thrown));
        } else {
            ASSERT_TRUE(refuses<ShapeError>(of_shape, {to_string(shape), to_string(x.shape())}, what));
        }
    }
    EXPECT_TRUE(accepted.empty())
        << fmt::format("a sublayer that returns {} for (2, 4, 6): no exception; expected a ShapeError",
                       fmt::join(accepted, " or "))
        << likely_if(close(y, x * 1.5f),  // else the sum itself is wrong
                     same_size ? "the numbers of entries are compared, size(); the shapes must be equal"
                               : "`+` broadcasts what the sublayer made against x without a word; compare "
                                 "the shapes first");
}

}  // namespace tfs::test
