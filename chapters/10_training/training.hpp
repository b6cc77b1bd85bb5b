// chapters/10_training/training.hpp · what chapter 10 builds: a loss, an optimizer, and the step that trains
//
// Sources: Kingma and Ba 2015, "Adam" (arXiv:1412.6980); Loshchilov and Hutter 2019, "Decoupled Weight Decay
// Regularization" (arXiv:1711.05101); Szegedy et al. 2016 (arXiv:1512.00567) for label smoothing; Pascanu et al. 2013
// (arXiv:1211.5063) for clipping. Axes: batch · seq · vocab.
// Read the lesson in README.md beside this file; write your steps in exercises/10_training/.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "common/nn.hpp"
#include "common/tensor.hpp"

namespace tfs {

// A target that nobody asks for: padding, or a position without an answer. The same number as in PyTorch.
constexpr std::int64_t ignored = -100;

// Step cross_entropy · The loss: how surprised the model is by the right token. With p = softmax(logits) and a target t,
//   loss = -ln p_t                                              without smoothing
//   loss = (1 - s) (-ln p_t) + s/vocab sum_i (-ln p_i)          label smoothing s (Szegedy et al. 2016, section 7)
// and the mean over all targets that are not `ignored`.
//   logits (..., vocab) · targets (...), ids or `ignored` -> a scalar ()
// Finite for large logits, too: exp does not overflow, and no logarithm of 0 is taken. A logit of -inf is a class that can't come: where
// it is no target, it adds nothing (without smoothing). Throws ShapeError if the axes
// disagree; ValueError if a target is not in 0 … vocab-1, where all are ignored, or where s is not in 0 … 1.
[[nodiscard]] Tensor cross_entropy(const Tensor& logits, const Ids& targets, double label_smoothing = 0.0);

// One sequence to learn from: a target for each id of the input.
struct Example {
    std::vector<std::int64_t> input, target;  // of the same length; a target may be `ignored`
    std::vector<std::int64_t> source = {};    // what an encoder reads; empty for a model without one
};

// Several examples, padded to the longest.
struct Batch {
    Ids inputs, targets;                       // (batch, seq)
    std::optional<Ids> source = std::nullopt;  // (batch, source), if the examples have one

    [[nodiscard]] std::size_t target_count() const;  // how many targets are not `ignored`
};

// Given · Examples and batches (given/training.cpp).
// make_batch: row i is example i, filled up at its end with `pad_id` (input, source) and `ignored` (target) to the longest one.
// ValueError if there are no examples, one is empty or has more or fewer targets than ids, or some have a source and some none.
[[nodiscard]] Batch make_batch(const std::vector<Example>& examples, std::int64_t pad_id);
// shuffled_batches: the numbers 0 … count-1 in random order, cut into batches of `batch_size`; the last one may be smaller.
// Every order is equally likely: for i = count-1 … 1, number i changes places with number rng.below(i + 1) (Durstenfeld 1964).
// ValueError if count or batch_size is 0.
[[nodiscard]] std::vector<std::vector<std::size_t>> shuffled_batches(std::size_t count,
                                                                     std::size_t batch_size, Rng& rng);

// Step text_batches · Pieces of a long text: n ids, of which a window takes `length` as its input. At each position the target is the
// id that comes next in the text. So a window needs length + 1 ids, and there are n - length places where one can begin.
// text_window: the window whose first input is ids[begin].
[[nodiscard]] Example text_window(std::span<const std::int64_t> ids, std::size_t begin, std::size_t length);
// text_batch: `batch_size` windows -> inputs and targets (batch_size, length). Each begins anywhere: its place is drawn with
// rng.below, row after row, and all places are equally likely, so the first id and the last one come, too.
//   Both: ValueError if length (or batch_size) is 0, or the text is too short for a window, or for one from `begin` on.
[[nodiscard]] Batch text_batch(std::span<const std::int64_t> ids, std::size_t length, std::size_t batch_size,
                               Rng& rng);

struct AdamWOptions {
    double beta1 = 0.9, beta2 = 0.999;  // how slowly the two means follow the gradient
    double epsilon = 1e-8;
    double weight_decay = 0.01;
};

// Step adamw · Adam with decoupled weight decay (Loshchilov and Hutter 2019, algorithm 2). For each parameter p with a gradient
// g, at step t = 1, 2, …:
//   p = p - rate weight_decay p                 only where decays(parameter) says so
//   m = beta1 m + (1 - beta1) g                 the mean gradient
//   v = beta2 v + (1 - beta2) g²                the mean of its square
//   p = p - rate (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
// With a steady gradient, large or small, m / sqrt(v) is ±1 and the rate *is* the step; where the sign of the gradient changes, m
// becomes small, v does not, and the step shrinks.
// A parameter without a gradient stays as it is, and so do its m and v. t counts the steps of the optimizer, also for a parameter
// that had no gradient in some of them (PyTorch counts for each parameter by itself). The gradients stay as they are.
struct AdamW {
    Parameters parameters;
    AdamWOptions options;
    std::size_t steps = 0;              // taken so far: t of the last one
    std::vector<Array> m = {}, v = {};  // one for each parameter, of its shape; they begin at 0

    // Given (given/training.cpp) · From here on the parameters require a gradient. ValueError if a beta is not in
    // 0 <= beta < 1, epsilon is below 1e-20, the decay is below 0, or one of them is not finite.
    explicit AdamW(Parameters all, const AdamWOptions& chosen = {});

    // ValueError if the rate is not finite, or the parameters are no longer those that m and v belong to.
    void step(double rate);
};
// Given · Whether weight decay pulls this parameter to 0: matrices (two axes or more), but no table of positions (its name has
// "positions" in it, as decoder.positions.weight). Biases and the gamma and beta of norms have one axis. This is a choice of this
// code; nanoGPT lets its table of positions decay, too.
[[nodiscard]] bool decays(const NamedTensor& parameter);

// Step train_one_step · Three functions. The first clips (Pascanu et al. 2013): where the gradient,
// all parameters taken together as one long vector, is longer than `largest`, it is shortened to that length; its direction
// stays. Returns the length that it had.
//   length = sqrt(sum over all parameters and entries of g²)
// Parameters without a gradient don't count. ValueError if `largest` is not above 0, or the length is not finite (it
// names the first parameter whose gradient is not).
double clip_by_global_norm(Parameters parameters, double largest);

// Step train_one_step · The second: the learning rate at step 1, 2, 3 …
// A warm-up in a straight line from 0 to the peak at step `warmup`; then half a cosine down to `final` at step `total`, and
// `final` from there on (Loshchilov and Hutter 2017, arXiv:1608.03983, eq. 5, without restarts).
//   ValueError if step is 0, warmup >= total, or a rate is not finite.
struct WarmupCosine {
    double peak = 1e-3, final = 0.0;
    std::size_t warmup = 0, total = 1;
};
[[nodiscard]] double learning_rate(const WarmupCosine& schedule, std::size_t step);

// What is trained: the logits (batch, seq, vocab) of the batch's inputs. The Rng is for dropout; null in evaluation.
using Model = std::function<Tensor(const Batch& batch, Rng* rng)>;

struct StepOptions {
    double label_smoothing = 0.0;
    double largest_gradient = 1.0;  // clip_by_global_norm
};

struct StepReport {
    double loss = 0.0;           // before the step
    double gradient_norm = 0.0;  // before clipping
};

// Step train_one_step · The third: one step of training: the gradients of the last step are forgotten; then forward (in training: with the
// Rng), loss, backward, clip, and a step of the optimizer with this rate.
StepReport training_step(const Model& model, const Batch& batch, AdamW& optimizer, double rate, Rng& rng,
                         const StepOptions& options = {});

struct Evaluation {
    double loss = 0.0;        // mean over all targets of all batches, without smoothing
    double accuracy = 0.0;    // the share of targets that have the largest logit (of equal ones the first)
    std::size_t targets = 0;  // that are not ignored
};

// Given (models/evaluate.cpp) · How good the model is on batches that it did not learn from: no dropout, no tape, no gradient.
// The model runs once for each batch. Every target counts the same, whatever the size of its batch. ValueError if there are no
// batches, or a batch has no target.
[[nodiscard]] Evaluation evaluate(const Model& model, const std::vector<Batch>& batches);

}  // namespace tfs
