// chapters/10_training/models/checkpoint.cpp · a training as a file, and back
#include <fmt/format.h>
#include <omp.h>

#include "chapters/10_training/models/trainer.hpp"
#include "common/io/safetensors.hpp"
#include "common/io/safetensors_header.hpp"

namespace tfs {

namespace {

constexpr const char* format_name = "transformer tutorial, checkpoint 1";

// The tensors of a checkpoint, under the names that they have in the file.
Parameters staged(const Trainer& trainer, const std::function<Tensor(std::size_t)>& weight,
                  const std::function<Tensor(std::size_t)>& m, const std::function<Tensor(std::size_t)>& v) {
    Parameters all;
    const Parameters& parameters = trainer.optimizer.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        all.push_back({join_path("model", parameters[i].name), weight(i)});
        all.push_back({join_path("adamw.m", parameters[i].name), m(i)});
        all.push_back({join_path("adamw.v", parameters[i].name), v(i)});
    }
    return all;
}

Tensor zeros_like(const NamedTensor& parameter) { return Tensor::zeros(parameter.tensor.shape()); }

}  // namespace

void save_checkpoint(const Trainer& trainer, const std::filesystem::path& file) {
    const AdamW& adam = trainer.optimizer;
    const Parameters all = staged(
        trainer, [&](std::size_t i) { return adam.parameters[i].tensor; },
        [&](std::size_t i) { return Tensor(adam.m[i]); }, [&](std::size_t i) { return Tensor(adam.v[i]); });
    save_safetensors(file, all,
                     {{"format", format_name},
                      {"plan", in_words(trainer.plan)},
                      {"step", std::to_string(trainer.step)},
                      {"adamw.steps", std::to_string(adam.steps)},
                      {"rng", trainer.rng.state()},
                      {"best_loss", fmt::format("{}", trainer.best_loss)},
                      {"without_gain", std::to_string(trainer.without_gain)},
                      {"threads", std::to_string(omp_get_max_threads())}});
}

std::string load_checkpoint(Trainer& trainer, const std::filesystem::path& file) {
    const WeightFile loaded = load_weight_file(file);
    const MetadataReader entries(loaded, file,
                                 "no checkpoint of this version of the tutorial, nothing was loaded");
    if (entries.text("format") != format_name) entries.refuse("");
    if (const std::string& plan = entries.text("plan"); plan != in_words(trainer.plan))
        refuse_file(file, fmt::format("a checkpoint of another plan ({}; this one: {}); nothing was loaded",
                                      plan, in_words(trainer.plan)));

    AdamW& adam = trainer.optimizer;
    const auto fresh = [&](std::size_t i) { return zeros_like(adam.parameters[i]); };
    const Parameters read = staged(trainer, fresh, fresh, fresh);
    copy_tensors_into(read, loaded.tensors, file);
    Rng rng(0);
    try {
        rng.set_state(entries.text("rng"));
    } catch (const ValueError&) {
        entries.refuse(": \"rng\" is no state");
    }
    const std::size_t step = entries.count("step"), adam_steps = entries.count("adamw.steps"),
                      without_gain = entries.count("without_gain"), threads = entries.count("threads");
    const double best_loss = entries.real("best_loss");

    // All is read and right: nothing can fail from here on.
    for (std::size_t i = 0; i < adam.parameters.size(); ++i) {
        adam.parameters[i].tensor.mutable_array() = read[3 * i].tensor.array();
        adam.m[i] = read[3 * i + 1].tensor.array();
        adam.v[i] = read[3 * i + 2].tensor.array();
    }
    adam.steps = adam_steps;
    trainer.rng = rng;
    trainer.step = step;
    trainer.best_loss = best_loss;
    trainer.without_gain = without_gain;
    const auto here = static_cast<std::size_t>(omp_get_max_threads());
    return threads == here
               ? ""
               : fmt::format(
                     "the checkpoint was made on {} threads, this run has {}: the last digits may differ",
                     threads, here);
}

}  // namespace tfs
