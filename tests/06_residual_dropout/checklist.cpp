// tests/06_residual_dropout/checklist.cpp · what the checks of several steps of chapter 06 share
#include "tests/06_residual_dropout/checklist.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {

Tensor coins(const Shape& shape, std::uint64_t seed, double probability) {
    return Tensor(Rng(seed).bernoulli_array(shape, probability));
}

Tensor dropped(const Tensor& x, std::uint64_t seed, double p) {
    return x * coins(x.shape(), seed, 1.0 - p) / static_cast<float>(1.0 - p);
}

Tensor dropped_by(Rng& rng, const Tensor& x, double p) {
    return x * Tensor(rng.bernoulli_array(x.shape(), 1.0 - p)) / static_cast<float>(1.0 - p);
}

void expect_rates_refused(const std::function<void(double, Rng*)>& call, const std::string& unchecked) {
    Rng rng(8);
    ASSERT_NO_THROW(call(0.5, &rng));
    for (Rng* const source : {&rng, static_cast<Rng*>(nullptr)}) {
        std::vector<std::string> passed, others;  // others: refused by something that does not know p
        for (const double p : {1.0, 1.5, -0.25, std::numeric_limits<double>::quiet_NaN()}) {
            const std::string number = fmt::format("{}", p);
            try {
                call(p, source);
                passed.push_back(number);
            } catch (const ValueError& error) {
                if (names(error.what(), number)) continue;
                others.push_back(
                    fmt::format("p = {}: the ValueError says \"{}\"; it must name p (require_rate does)",
                                number, error.what()));
            }
        }
        if (passed.empty() && others.empty()) continue;
        const auto has = [&](const char* p) { return std::count(passed.begin(), passed.end(), p) > 0; };
        const bool most = !passed.empty() && passed.size() + others.size() > 2;
        if (!passed.empty())
            others.insert(others.begin(), fmt::format("p = {}, in {}: no exception", fmt::join(passed, ", "),
                                                      source ? "training" : "evaluation (rng null)"));
        ADD_FAILURE() << fmt::format("{}", fmt::join(others, "\n")) << likely_if(most, unchecked)
                      << likely_if(!most && has("1"), "p = 1 is accepted: 1/(1-p) divides by zero")
                      << likely_if(!most && (has("1.5") || has("-0.25")), "p is not compared with 0 and 1")
                      << likely_if(!most && has("nan"),
                                   "NaN passes: it is neither < 0 nor >= 1; ask !(p >= 0 && p < 1)");
        return;  // the other one would only say it again
    }
}

namespace {

constexpr std::uint64_t golden_seed = 21;  // of the Rng of the golden values in training

}  // namespace

void expect_golden(const std::string& name, const Form& form, bool training,
                   const std::vector<std::pair<std::string, Wrong>>& wrong) {
    Parts parts;
    Rng rng(golden_seed);
    const std::string prefix = name + (training ? ".training." : ".evaluation.");
    const Tensor y = form(parts, golden_p, training ? &rng : nullptr);
    std::vector<Suspect> suspects;
    for (const auto& [message, answer] : wrong)
        suspects.push_back({message, [&parts, answer = answer] { return answer(parts); }});
    EXPECT_TRUE(close(y, golden()[prefix + "output"], {1e-5, 1e-6}, suspects));
    const Tensor upstream = golden()[prefix + "grad_weights"], grad_x = golden()[prefix + "grad_x"];
    ASSERT_TRUE(send_back(y, upstream));
    // Not for post-norm, whose gradients differ from both.
    const std::vector<Suspect> cut{
        {"x goes into the sublayer detached: no gradient comes back through it", [&] { return upstream; }},
        {"x is added detached: the residual path carries no gradient", [&] { return grad_x - upstream; }}};
    for (const auto& [input, tensor] :
         {std::pair("x", parts.x), std::pair("w1.weight", parts.w1), std::pair("w1.bias", parts.b1),
          std::pair("w2.weight", parts.w2), std::pair("w2.bias", parts.b2), std::pair("gamma", parts.gamma),
          std::pair("beta", parts.beta)}) {
        if (!golden().contains(prefix + "grad_" + input)) continue;
        EXPECT_TRUE(gradient_close(input, tensor, golden()[prefix + "grad_" + input], {1e-4, 1e-5},
                                   std::string(input) == "x" ? cut : std::vector<Suspect>{}));
    }
}

void expect_calls(const Form& form, int norms) {
    Parts parts;
    form(parts, 0.0, nullptr);
    EXPECT_EQ(parts.sublayer_calls, 1)
        << "the sublayer must be called once: each call costs its whole work again";
    EXPECT_EQ(parts.norm_calls, norms) << "the norm must be called " << (norms ? "once" : "never");
}

void expect_shapes_refused(const std::function<Tensor(const Tensor&, const Sublayer&)>& call) {
    const Tensor x = normal({2, 4, 6}, 9);
    ASSERT_TRUE(has_shape(call(x, [](const Tensor& t) { return t * 0.5f; }), x.shape()));
    const auto narrow = [](const Tensor& t) { return slice(t, -1, 0, 5); };
    EXPECT_THROW(call(x, narrow), ShapeError);
    for (const Shape& shape : {Shape{2, 4, 1}, Shape{6}, Shape{3, 2, 4, 6}})
        EXPECT_TRUE(
            refuses<ShapeError>([&] { call(x, [&](const Tensor&) { return Tensor::ones(shape); }); },
                                {to_string(shape), to_string(x.shape())},
                                "a sublayer that returns " + to_string(shape) + " for (2, 4, 6)",
                                "`+` broadcasts what the sublayer made against x without a word; compare "
                                "the shapes first"));
}

Tensor d(const Tensor& t) { return dropped(t, golden_seed, golden_p); }

Tensor dropped_twice(const Tensor& t) {
    Rng rng(golden_seed);
    const Tensor once = dropped_by(rng, t, golden_p);
    return dropped_by(rng, once, golden_p);
}

}  // namespace tfs::test
