// chapters/10_training/given/checkpoint.cpp · a training as a file, and back, given
#include <fmt/format.h>
#include <omp.h>

#include <cmath>

#include "chapters/10_training/given/trainer.hpp"
#include "common/io/safetensors.hpp"

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

// An entry of the metadata; a FileError where there is none.
class Entries {
  public:
    Entries(const Metadata& metadata, const std::filesystem::path& file) : metadata_(metadata), file_(file) {}

    const std::string& text(const std::string& name) const {
        const auto found = metadata_.find(name);
        if (found == metadata_.end()) refuse(fmt::format("a checkpoint without \"{}\"", name));
        return found->second;
    }
    std::size_t count(const std::string& name) const {
        const std::string& digits = text(name);
        if (digits.empty() || digits.size() > 18 ||
            digits.find_first_not_of("0123456789") != std::string::npos)
            refuse(fmt::format("a checkpoint whose \"{}\" is no whole number", name));
        return std::stoull(digits);
    }
    double real(const std::string& name) const try {
        return std::stod(text(name));
    } catch (const std::logic_error&) {
        refuse(fmt::format("a checkpoint whose \"{}\" is no number", name));
    }
    [[noreturn]] void refuse(const std::string& what) const {
        throw FileError(fmt::format("{}: {}; nothing was loaded", file_.string(), what));
    }

  private:
    const Metadata& metadata_;
    const std::filesystem::path& file_;
};

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
    const Entries entries(loaded.metadata, file);
    if (const auto found = loaded.metadata.find("format");
        found == loaded.metadata.end() || found->second != format_name)
        entries.refuse("no checkpoint of this version of the tutorial");
    if (const std::string& plan = entries.text("plan"); plan != in_words(trainer.plan))
        entries.refuse(
            fmt::format("a checkpoint of another plan ({}; this one: {})", plan, in_words(trainer.plan)));

    AdamW& adam = trainer.optimizer;
    const auto fresh = [&](std::size_t i) { return zeros_like(adam.parameters[i]); };
    const Parameters read = staged(trainer, fresh, fresh, fresh);
    copy_tensors_into(read, loaded.tensors, file);
    Rng rng(0);
    try {
        rng.set_state(entries.text("rng"));
    } catch (const ValueError&) {
        entries.refuse("a checkpoint whose \"rng\" is no state");
    }
    const std::size_t step = entries.count("step"), adam_steps = entries.count("adamw.steps"),
                      without_gain = entries.count("without_gain"), threads = entries.count("threads");
    const double best_loss = entries.real("best_loss");

    for (std::size_t i = 0; i < adam.parameters.size();
         ++i) {  // all is read and right: nothing can fail from here on
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
