// tests/10_training/wrong_evaluations.cpp · the golden evaluation, and what a wrong number comes from
#include "tests/10_training/wrong_evaluations.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

std::vector<Batch> golden_batches() {
    std::vector<Batch> batches;
    for (const std::string name : {"a", "b", "c"})  // of different sizes
        batches.push_back({golden_ids(name + ".inputs"), golden_ids(name + ".targets")});
    return batches;
}

namespace {

// What is known of one golden batch.
struct Known {
    double loss, right, asked, positions;
    double of_inputs = 0, smallest = 0, last_position = 0, last_asked = 0, smoothed = 0, of_first = 0;
};
Known known_of(const Batch& batch) {
    const Tensor logits = embedding(golden()["table"], batch.inputs);
    Known k{};
    const auto first =
        std::max_element(logits.values().begin(), logits.values().begin() + 6) - logits.values().begin();
    const std::size_t seq = batch.targets.shape()[1];
    for (std::size_t i = 0; i < batch.targets.size(); ++i) {
        const std::int64_t target = batch.targets.data()[i];
        const auto row = logits.values().subspan(i * 6, 6);
        const auto at = std::max_element(row.begin(), row.end()) - row.begin();
        ++k.positions;
        k.of_inputs += batch.inputs.data()[i] == at;
        if (target == ignored) continue;
        double exps = 0.0, all = 0.0;
        for (const float z : row)
            exps += std::exp(static_cast<double>(z)), all += static_cast<double>(z) / 6.0;
        const double loss = std::log(exps) - static_cast<double>(row[static_cast<std::size_t>(target)]);
        ++k.asked;
        k.loss += loss;
        k.smoothed += 0.9 * loss + 0.1 * (std::log(exps) - all);
        k.right += target == at;
        k.of_first += target == first;
        k.smallest += target == std::min_element(row.begin(), row.end()) - row.begin();
        k.last_position += i % seq == seq - 1 && target == at;
        k.last_asked += i % seq == seq - 1;
    }
    return k;
}

bool near(double a, double b) { return std::abs(a - b) < 1e-5 * (1.0 + std::abs(b)); }

// Sums over the golden batches, and what is made of them.
struct Sums {
    std::vector<Known> k;
    Sums() {
        for (const Batch& batch : golden_batches()) k.push_back(known_of(batch));
    }
    template <class Of>
    double sum(const Of& of) const {
        double all = 0.0;
        for (const Known& one : k) all += of(one);
        return all;
    }
};

}  // namespace

std::string cause_of_loss(double loss) {
    const Sums s;
    const double asked = s.sum([](const Known& k) { return k.asked; });
    const double total = s.sum([](const Known& k) { return k.loss; });
    const double means = s.sum([](const Known& k) { return k.loss / k.asked; });
    const double positions = s.sum([](const Known& k) { return k.positions; });
    const double weighted = s.sum([](const Known& k) { return k.loss / k.asked * k.positions; });
    return likely_if(near(loss, means / 3.0),
                     "the mean of the batches' means: a target of a small batch weighs more; multiply each "
                     "mean by the "
                     "number of its targets, and divide once by all") +
           likely_if(near(loss, means),
                     "the batches' means are added up; divide by the number of all targets") +
           likely_if(
               near(loss, means / asked),
               "the batches' means are divided by the number of targets once more; multiply each by the "
               "number of its targets first") +
           likely_if(near(loss, total), "this is the sum over all targets; divide by their number") +
           likely_if(near(loss, total / 3.0),
                     "divided by the number of batches; divide by the number of targets") +
           likely_if(
               near(loss, total / positions),
               "ignored targets are counted in the divisor of the loss; divide by those that are asked for") +
           likely_if(near(loss, weighted / positions) || near(loss, weighted / asked),
                     "each batch weighs as much as it has positions; ignored ones don't count") +
           likely_if(near(loss, s.sum([](const Known& k) { return k.smoothed; }) / asked),
                     "label smoothing is on; evaluation is without") +
           likely_if(near(loss, std::exp(total / asked)), "this is the perplexity, exp of the loss") +
           likely_if(near(loss, s.k[0].loss / s.k[0].asked), "only the first batch counts") +
           likely_if(near(loss, s.k[2].loss / s.k[2].asked),
                     "only the last batch counts: add up over all of them");
}

std::string cause_of_accuracy(double accuracy) {
    const Sums s;
    const double asked = s.sum([](const Known& k) { return k.asked; });
    const double right = s.sum([](const Known& k) { return k.right; });
    const double positions = s.sum([](const Known& k) { return k.positions; });
    return likely_if(near(accuracy, right / positions) ||
                         near(accuracy, s.sum([](const Known& k) { return k.right / k.positions; }) / 3.0),
                     "ignored targets are counted in the accuracy, as if they were wrong; divide by those "
                     "that are asked for") +
           likely_if(near(accuracy, (right + positions - asked) / positions) ||
                         near(accuracy, (right + positions - asked) / asked),
                     "ignored targets are counted in the accuracy, as if they were right") +
           likely_if(
               near(accuracy, s.sum([](const Known& k) { return k.right / k.asked; }) / 3.0),
               "the mean of the batches' accuracies: a target of a small batch weighs more; count over all "
               "batches, and divide once") +
           likely_if(near(accuracy, s.sum([](const Known& k) { return k.smallest; }) / asked),
                     "the token with the smallest logit is taken for the answer") +
           likely_if(near(accuracy, s.sum([](const Known& k) { return k.last_position; }) / asked) ||
                         near(accuracy, s.sum([](const Known& k) { return k.last_position; }) /
                                            s.sum([](const Known& k) { return k.last_asked; })),
                     "only the last position of each row is looked at; every target counts") +
           likely_if(near(accuracy, s.sum([](const Known& k) { return k.of_inputs; }) / asked) ||
                         near(accuracy, s.sum([](const Known& k) { return k.of_inputs; }) / positions),
                     "the answers are compared with the inputs, not with the targets") +
           likely_if(
               near(accuracy, s.sum([](const Known& k) { return k.of_first; }) / asked),
               "all targets are compared with the scores of the first position; those of row i begin at "
               "entry i * vocab") +
           likely_if(near(accuracy, s.k[0].right / s.k[0].asked),
                     "only the first batch counts in the accuracy") +
           likely_if(near(accuracy, s.k[2].right / s.k[2].asked),
                     "only the last batch counts in the accuracy: add up over all of them") +
           likely_if(near(accuracy, right),
                     "this is the number of right answers; the accuracy is their share") +
           likely_if(near(accuracy, 100.0 * right / asked), "this is in percent; a share is in 0 … 1") +
           likely_if(near(accuracy, 1.0 - right / asked), "this is the share of WRONG answers") +
           likely_if(near(accuracy, right / 3.0),
                     "divided by the number of batches; divide by the number of targets") +
           likely_if(accuracy == 0.0,
                     "no answer counts as right; if you count in whole numbers, mind that their "
                     "quotient is a whole number, too");
}

}  // namespace tfs::test
