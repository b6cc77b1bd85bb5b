// tests/10_training/training_reference.hpp · the step of training written a second time, right and with one thing done wrong
#pragma once

#include "tests/10_training/adamw_reference.hpp"

namespace tfs::test {

// The small model of tests/golden/area_optimizer.py: embedding · tanh · dropout · linear, and its batch.
struct SmallModel {
    Parameters parameters;
    Batch batch;
    double dropout;

    explicit SmallModel(double chosen_dropout);

    Model function() const;  // of these parameters; it must not outlive them
    AdamW optimizer() const;
};

// As the golden steps were trained.
inline constexpr StepOptions training_options{.label_smoothing = 0.1, .largest_gradient = 0.25};
double golden_training_rate(std::size_t t);

// What is done wrong; nothing by default.
struct TrainingMistake {
    bool not_cleared = false, no_gradient = false, step_before_backward = false, cleared_before_step = false,
         optimizer_copied = false;
    bool no_rng = false, rng_copied = false, inputs_for_targets = false;
    bool no_clip = false, clip_after_step = false, limit_of_default = false, limit_is_smoothing = false;
    bool no_smoothing = false, smoothing_of_limit = false, rate_of_default = false, no_step = false,
         two_steps = false;
    bool loss_after = false, norm_after = false, report_exchanged = false, norm_is_not_reported = false;
};

struct NamedTraining {
    std::string message;
    TrainingMistake mistake;
};
const std::vector<NamedTraining>& training_mistakes();

// As clip_by_global_norm, which may be wrong: the learner's step has both.
double reference_clip(Parameters parameters, double largest);

StepReport reference_training_step(const SmallModel& model, AdamW& optimizer, double rate, Rng& rng,
                                   const TrainingMistake& mistake);

}  // namespace tfs::test
