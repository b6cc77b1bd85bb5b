// chapters/04_normalization/program/feature_statistics.cpp · the sentence by BatchNorm: the statistics of each feature
#include "chapters/04_normalization/program/sections.hpp"

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

void show_batch_norm(Show& show, const Tensor& x) {
    Trace& trace = show.trace;
    if (x.size(1) < 2) {
        trace.note("One token has no variance over the batch: BatchNorm refuses to train on it.");
        return;
    }
    BatchNorm norm(x.size(-1));
    const FeatureStatistics batch = batch_statistics(x);
    trace.step("mean", batch.mean, {"d_model"}, "one for each feature");
    trace.step("variance", batch.variance, {"d_model"}, "over batch and seq");
    trace.step("training", norm(x, NormMode::training), {"batch", "seq", "d_model"}, "by these two");
    trace.step("running mean", norm.running_mean, {"d_model"}, "0.9 x 0 + 0.1 x mean");
    trace.step("running variance", norm.running_variance, {"d_model"}, "0.9 x 1 + 0.1 x n/(n-1) x variance");
    trace.step("evaluation", norm(x, NormMode::evaluation), {"batch", "seq", "d_model"},
               "by the running ones");
}

}  // namespace tfs
