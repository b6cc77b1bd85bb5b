// chapters/09_transformer/program/weight_memory.cpp · what the weights of a model need in memory
#include "chapters/09_transformer/program/weight_memory.hpp"
#include "chapters/09_transformer/program/sections.hpp"

#include <fmt/ostream.h>
#include <unistd.h>

#include "chapters/09_transformer/cost.hpp"

namespace tfs {

namespace {

double memory_of_this_machine() {
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

double weights_in_bytes(const TransformerConfig& config) {
    return static_cast<double>(sizeof(float) * total(transformer_costs(config, 1, 1, 1)).parameters);
}

bool small_enough(const TransformerConfig& config) {
    return weights_in_bytes(config) <= static_cast<double>(largest_weights);
}

void say_too_large(Show& show, const std::string& name, const TransformerConfig& config) {
    const std::string text = fmt::format(
        "The weights of {} take {} as float32, and this program stops at {}. Drawing more takes longer than "
        "all the rest, and untrained weights of a large model show nothing that a small model does not. The "
        "table needs no weights: it is computed from the config.",
        name, in_bytes(weights_in_bytes(config)), in_bytes(static_cast<double>(largest_weights)));
    for (const std::string& line : wrap(text, screen_columns - 2)) show.out << "  " << line << '\n';
}

void print_weight_memory(Show& show, const std::vector<std::string>& models) {
    std::ostream& out = show.out;
    std::string fitting;
    fmt::print(out, "  {:<12} {:>14} {:>12} {:>12} {:>22}\n", "", "parameters", "float32", "float16",
               "training (AdamW)");
    for (const std::string& name : models) {
        const double bytes = weights_in_bytes(preset(name));
        fmt::print(out, "  {:<12} {:>14} {:>12} {:>12} {:>22}\n", name,
                   with_separators(transformer_parameters(preset(name)).total()), in_bytes(bytes),
                   in_bytes(bytes / 2.0), in_bytes(4.0 * bytes));
        if (bytes < memory_of_this_machine()) fitting += (fitting.empty() ? "" : ", ") + name;
    }
    fmt::print(out, "  training: weights, gradients and two moments as float32, without any activation\n");
    fmt::print(out, "  this machine has {}: of these it could hold as float32: {}\n",
               in_bytes(memory_of_this_machine()), fitting.empty() ? "none" : fitting);
}

}  // namespace tfs
