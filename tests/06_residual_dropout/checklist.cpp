// tests/06_residual_dropout/checklist.cpp · what the checks of several steps of chapter 06 share
#include "tests/06_residual_dropout/checklist.hpp"

#include "tests/support/golden.hpp"

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

namespace {

constexpr std::uint64_t golden_seed = 21;  // of the Rng of the golden values in training

}  // namespace

WrongForms common_mistakes(const Part& branch, const Part& around) {
    const auto form = [=](auto inner) {
        return [=](const Parts& q, const Drop& drop) {
            return around(q, inner(
                                 drop, [&](const Tensor& t) { return branch(q, t); }, q.x));
        };
    };
    const std::string twice = "the sublayer is added twice";
    const std::string x_dropped = "x is dropped too, by a mask of its own; the residual path must stay whole";
    return {{"x is forgotten: only what the sublayer made is left",
             form([](const Drop& drop, auto b, const Tensor& x) { return drop(b(x)); })},
            {twice, form([](const Drop& drop, auto b, const Tensor& x) { return x + drop(b(x)) * 2.0f; })},
            {twice, form([](const Drop& drop, auto b, const Tensor& x) {
                 const Tensor once = x + drop(b(x));
                 return once + drop(b(x));
             })},
            {"x is added twice; once is right",
             form([](const Drop& drop, auto b, const Tensor& x) { return x * 2.0f + drop(b(x)); })},
            {"x is added twice; once is right",
             form([](const Drop& drop, auto b, const Tensor& x) { return x + drop(x + b(x)); })},
            {"the sum is scaled by sqrt(1/2); it stays as it is, or x shrinks in every layer",
             form([](const Drop& drop, auto b, const Tensor& x) { return (x + drop(b(x))) * 0.707106781f; })},
            {"the sublayer is subtracted",
             form([](const Drop& drop, auto b, const Tensor& x) { return x - drop(b(x)); })},
            {"x comes back without the sublayer; a null rng means only that nothing is dropped",
             form([](const Drop&, auto, const Tensor& x) { return x; })},
            {"dropout acts on the whole sum, so x is dropped too: it belongs on what the sublayer made",
             form([](const Drop& drop, auto b, const Tensor& x) { return drop(x + b(x)); })},
            {"dropout acts on x, the residual path: that path must stay whole",
             form([](const Drop& drop, auto b, const Tensor& x) { return drop(x) + b(x); })},
            {x_dropped, form([](const Drop& drop, auto b, const Tensor& x) {
                 const Tensor kept = drop(x);
                 return kept + drop(b(x));
             })},
            {x_dropped, form([](const Drop& drop, auto b, const Tensor& x) {
                 const Tensor change = drop(b(x));
                 return drop(x) + change;
             })},
            {x_dropped, form([](const Drop& drop, auto b, const Tensor& x) {
                 const Tensor kept = drop(x);
                 return kept + drop(b(kept));
             })},
            {"x and the sublayer are dropped by the same mask; x must stay whole",
             form([](const Drop&, auto b, const Tensor& x) {
                 return dropped(x, golden_seed, golden_p) + dropped(b(x), golden_seed, golden_p);
             })},
            {"dropout acts before the sublayer; it belongs behind it",
             form([](const Drop& drop, auto b, const Tensor& x) { return x + b(drop(x)); })},
            {"dropped twice: by your dropout and again by residual, which has p and rng",
             form([](const Drop& drop, auto b, const Tensor& x) { return x + drop(drop(b(x))); })},
            {"nothing is dropped: p and rng are not passed on to dropout",
             form([](const Drop&, auto b, const Tensor& x) { return x + b(x); })}};
}

void expect_golden(const std::string& name, const Form& form, bool training, const WrongForms& wrong) {
    Parts parts;
    Rng rng(golden_seed);
    const std::string prefix = name + (training ? ".training." : ".evaluation.");
    const Tensor y = form(parts, golden_p, training ? &rng : nullptr);
    std::vector<Suspect> suspects;
    for (const auto& [message, answer] : wrong)
        suspects.push_back({message, [&parts, training, answer = answer] {
                                Rng masks(golden_seed);
                                return answer(parts, [&](const Tensor& t) {
                                    return training ? dropped_by(masks, t, golden_p) : t;
                                });
                            }});
    ASSERT_TRUE(close(y, golden()[prefix + "output"], {1e-5, 1e-6}, suspects));
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
        << "the sublayer must be called once: each call costs its whole work again"
        << likely_if(
               parts.sublayer_calls > 1,
               "the sublayer is called anew wherever its result is needed; call it once and keep what it "
               "returns");
    if (parts.sublayer_calls != 1) return;  // the norm in front of it follows
    EXPECT_EQ(parts.norm_calls, norms) << "the norm must be called " << (norms ? "once" : "never");
}

}  // namespace tfs::test
