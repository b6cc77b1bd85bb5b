// tests/10_training/adamw_trial.cpp · an optimizer that is compared step by step, and the mistake behind a difference
#include "tests/10_training/adamw_trial.hpp"

#include <fmt/format.h>

#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {

Trial::Trial(AdamW chosen) : optimizer(std::move(chosen)), right_(state_of(optimizer)) {
    wrong_.assign(adamw_mistakes().size(), right_);
    explains_.assign(wrong_.size(), true);
}

void Trial::set_gradients(const std::vector<std::optional<Array>>& gradients) {
    for (std::size_t i = 0; i < gradients.size(); ++i)
        set_gradient(optimizer.parameters[i].tensor, gradients[i]);
}

void Trial::step(double rate) {
    if (!thrown_.empty()) return;
    for (std::size_t k = 0; k < wrong_.size(); ++k)
        reference_step(wrong_[k], optimizer, rate, adamw_mistakes()[k].mistake);
    reference_step(right_, optimizer, rate);
    ++step_;
    thrown_ = thrown_by([&] { optimizer.step(rate); }).sentence;
    if (!thrown_.empty()) return note(fmt::format("step {} throws: {}", step_, thrown_));
    const Tensor values = all_of(optimizer), right = all_of(right_);
    for (std::size_t k = 0; k < wrong_.size(); ++k)
        explains_[k] = explains_[k] && close(values, all_of(wrong_[k]), {1e-4, 1e-5});
    std::size_t begin = 0;
    for (const NamedTensor& parameter : optimizer.parameters) {
        const std::size_t end = begin + parameter.tensor.size();
        expect(parameter, reshape(slice(right, 0, begin, end), parameter.tensor.shape()));
        begin = end;
    }
}

void Trial::expect(const NamedTensor& parameter, const Tensor& values) {
    if (thrown_.empty())
        note(close_named(fmt::format("{} after step {}", parameter.name, step_), parameter.tensor, values)
                 .message());
}

void Trial::note(const std::string& failure) {
    if (failure_.empty()) failure_ = failure;
}

testing::AssertionResult Trial::right() const {
    if (failure_.empty()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << failure_ << cause();
}

std::string Trial::cause() const {
    if (failure_.empty()) return "";
    std::vector<std::string> causes;
    for (std::size_t k = 0; k < wrong_.size(); ++k)
        if (explains_[k]) causes.push_back(adamw_mistakes()[k].message);
    // In a single step mistakes look alike.
    const bool told = thrown_.empty() && step_ > 1 && causes.size() == 1;
    const bool asked = thrown_.find("no gradient has reached") != std::string::npos;
    return likely_if(told, told ? causes[0] : "") +
           likely_if(asked, "a parameter without a gradient is asked for it: ask has_grad() first");
}

}  // namespace tfs::test
