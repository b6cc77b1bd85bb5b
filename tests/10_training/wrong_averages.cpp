// tests/10_training/wrong_averages.cpp · losses that are added up or divided in a wrong way
#include <algorithm>

#include "tests/10_training/wrong_losses.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {

namespace {

LossCase with_targets(LossCase c, const std::function<std::int64_t(const Ids&, std::size_t)>& target) {
    const Ids before = c.targets;
    for (std::size_t i = 0; i < before.size(); ++i) c.targets.data()[i] = target(before, i);
    return c;
}

void add_divisors(WrongLosses& all) {
    const auto divided = [&](const std::string& message, auto n) {
        all.push_back({message, [=](const Tensor& z, const LossCase& c) {
                           return loss_of(shares(c), log_softmax(z), static_cast<float>(n(c)));
                       }});
    };
    divided("this is the sum of the losses; divide it by the number of targets that are not ignored",
            [](const LossCase&) { return 1.0f; });
    divided("ignored targets are counted in the divisor; divide by the number of those that are asked for",
            [](const LossCase&) { return 12.0f; });
    divided("divided by the batch size; the mean is over all targets that are not ignored",
            [](const LossCase&) { return 3.0f; });
    divided("divided by the length of the sequences; the mean is over all targets that are not ignored",
            [](const LossCase&) { return 4.0f; });
    const std::string over_vocab =
        "divided by the vocabulary as well: add up along it, and divide by the number of targets only";
    divided(over_vocab, [](const LossCase& c) { return 5.0f * asked(c); });
    divided(over_vocab + ". Ignored targets don't count either", [](const LossCase&) { return 60.0f; });
    divided("the sign is wrong: the loss is MINUS the logarithm",
            [](const LossCase& c) { return -asked(c); });
    divided("logarithm to base 2; the contract says ln",
            [](const LossCase& c) { return asked(c) * 0.6931472f; });
    divided("logarithm to base 10; the contract says ln",
            [](const LossCase& c) { return asked(c) * 2.3025851f; });
    for (const int axis : {1, 0}) {
        all.push_back(
            {axis == 1 ? "the mean of the sequences' means: a target of a short sequence weighs more; all "
                         "targets count the same"
                       : "the mean of the positions' means; all targets count the same",
             [=](const Tensor& z, const LossCase& c) {
                 const Tensor losses = sum(shares(c) * log_softmax(z), -1, KeepDims::yes);
                 return -mean(sum(losses, axis) / sum(asked_rows(c), axis));
             }});
    }
}

void add_targets(WrongLosses& all) {
    const auto of_others = [&](const std::string& message, auto target) {
        for (const bool counted : {false, true}) {
            all.push_back({message, [=](const Tensor& z, const LossCase& c) {
                               const LossCase other = with_targets(c, target);
                               return loss_of(shares(other), log_softmax(z), asked(counted ? other : c));
                           }});
        }
    };
    of_others("an ignored target is taken for token 0; it may add nothing",
              [](const Ids& t, std::size_t i) { return std::max<std::int64_t>(t.data()[i], 0); });
    of_others("an ignored target is taken for the last token; it may add nothing",
              [](const Ids& t, std::size_t i) { return t.data()[i] == ignored ? 4 : t.data()[i]; });
    of_others("target 0 is taken for padding; only `ignored` targets are left out",
              [](const Ids& t, std::size_t i) { return t.data()[i] > 0 ? t.data()[i] : ignored; });
    of_others("the targets are shifted once more; they belong to the logits of their own position",
              [](const Ids& t, std::size_t i) { return i % 4 < 3 ? t.data()[i + 1] : ignored; });
    of_others("only the last position counts; the mean is over all targets",
              [](const Ids& t, std::size_t i) { return i % 4 == 3 ? t.data()[i] : ignored; });
    of_others("only the first sequence counts; the mean is over all targets",
              [](const Ids& t, std::size_t i) { return i < 4 ? t.data()[i] : ignored; });
    for (const bool counted : {false, true}) {
        all.push_back({"the part of the smoothing is added for ignored targets, too; they may add nothing",
                       [=](const Tensor& z, const LossCase& c) {
                           const Tensor rest = (1.0f - asked_rows(c)) * static_cast<float>(c.smoothing / 5.0);
                           return loss_of(shares(c) + rest, log_softmax(z), counted ? 12.0f : asked(c));
                       }});
    }
}

void add_smoothings(WrongLosses& all) {
    const auto smoothed = [&](const std::string& message, auto at, auto elsewhere) {
        all.push_back({message, [=](const Tensor& z, const LossCase& c) {
                           const double s = c.smoothing;
                           return loss_of(shares(c.targets, at(s), elsewhere(s)), log_softmax(z), asked(c));
                       }});
    };
    const auto zero = [](double) { return 0.0; };
    const auto of_all = [](double s) { return s / 5.0; };
    const auto of_others = [](double s) { return s / 4.0; };
    const auto rest = [](double s) { return 1.0 - s; };
    const std::string too_much = "the smoothed shares add up to more than 1: ";
    const std::string vocab_less_1 = "s is divided by vocab - 1; the contract divides by vocab";
    smoothed(
        "label_smoothing is not used", [](double) { return 1.0; }, zero);
    smoothed("the part of the other tokens is missing: s/vocab sum_i (-ln p_i)", rest, zero);
    smoothed(
        too_much + "the loss of the target must be multiplied by 1 - s",
        [](double s) { return 1.0 + s / 5.0; }, of_all);
    smoothed(
        too_much + "the target gets 1 - s + s/vocab", [](double) { return 1.0; }, of_all);
    smoothed(
        too_much + vocab_less_1, [](double s) { return 1.0 - s + s / 4.0; }, of_others);
    smoothed("the other tokens share s: " + vocab_less_1 + ", and the target gets s/vocab as well", rest,
             of_others);
    smoothed(
        too_much + "the target gets 1 - s + s/vocab, and each other token s/vocab",
        [](double) { return 1.0; }, of_others);
    smoothed("the sum over i runs over ALL tokens: the target gets 1 - s + s/vocab", rest, of_all);
    smoothed(
        "the sum over i is not divided by vocab", [](double) { return 1.0; }, [](double s) { return s; });
    smoothed(
        "s and 1 - s are exchanged", [](double s) { return s + (1.0 - s) / 5.0; },
        [](double s) { return (1.0 - s) / 5.0; });
    smoothed(
        "s and 1 - s are exchanged", [](double s) { return s; }, zero);
    smoothed(
        "1/vocab is missing its s: the others get s/vocab", [](double s) { return 1.0 - s + 0.2; },
        [](double) { return 0.2; });
    all.push_back({"the entropy of the smoothed shares is subtracted; the contract has no such term",
                   [](const Tensor& z, const LossCase& c) {
                       const Tensor q = shares(c), kept = maximum(q, 1e-30f);
                       return sum(q * (log(kept) - log_softmax(z))) / asked(c);
                   }});
}

}  // namespace

// 40 rows of 5: of the last ten, entry -100 is still inside of the array. It is that of token 0, 20 rows before.
testing::AssertionResult ignored_is_no_index() {
    const Tensor logits = normal({40, 5}, 5), log_p = log_softmax(logits);
    Ids targets = Ids::from_shape({40});
    float right = 0.0f, wrong = 0.0f;
    for (std::size_t i = 0; i < 40; ++i) {
        targets(i) = i < 30 ? static_cast<std::int64_t>(i % 5) : ignored;
        (i < 30 ? right : wrong) -= log_p.values()[i * 5 + static_cast<std::size_t>(targets(i))];
    }
    const Tensor found = cross_entropy(logits, targets);
    for (const float n : {1.0f, 30.0f, 40.0f}) {
        if (close(found, Tensor::full({}, (right + wrong) / n), {1e-4, 1e-5}))
            return testing::AssertionFailure()
                   << "40 rows, of which 10 are ignored: the loss is " << found.item() << ", expected "
                   << right / 30.0f
                   << likely_if(
                          true,
                          "an ignored target, -100, is used as an index, which lies in front of its row and "
                          "may be outside of the array: skip it first");
    }
    return testing::AssertionSuccess();
}

WrongLosses wrong_averages() {
    WrongLosses all;
    for (const auto add : {add_divisors, add_targets, add_smoothings}) add(all);
    return all;
}

}  // namespace tfs::test
