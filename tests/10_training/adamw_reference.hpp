// tests/10_training/adamw_reference.hpp · AdamW written a second time, right and with one thing done wrong
//
// The golden values (tests/golden/area_optimizer.py) are those of torch.optim.AdamW.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chapters/10_training/training.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {

inline const Golden& optimizer_golden() {
    static const Golden file("10_optimizer.safetensors");
    return file;
}

// Forgets the gradient of a parameter, and gives it this one if there is one.
void set_gradient(Tensor& parameter, const std::optional<Array>& gradient);

enum class Which { right, all, none, others, positions_too, one_axis_too };
enum class Pull { right, by_the_gradient, without_the_rate, after_the_move, away, twice };
enum class Root {
    right,
    epsilon_inside,
    epsilon_missing,
    epsilon_before_correction,
    correction_outside,
    missing
};
enum class Count { right, from_0, never, always_1, of_each_parameter, twice };
enum class Absent { right, ends_the_step, is_zero, is_pulled, loses_its_means };

// What is done wrong; nothing by default.
struct AdamWMistake {
    bool m_uncorrected = false, v_uncorrected = false, corrections_exchanged = false,
         corrections_multiplied = false, product_for_power = false, corrected_means_kept = false;
    bool m_forgotten = false, v_forgotten = false, means_of_before = false, one_state = false;
    bool betas_exchanged = false, m_shares_exchanged = false, v_shares_exchanged = false, m_adds_all = false,
         v_adds_all = false;
    bool v_of_g = false, v_of_m = false, g_for_m = false, without_v = false, up = false, no_rate = false,
         default_options = false, stays = false;
    Which decaying = Which::right;
    Pull pull = Pull::right;
    Root root = Root::right;
    Count count = Count::right;
    Absent absent = Absent::right;
};

struct NamedMistake {
    std::string message;
    AdamWMistake mistake;
};
const std::vector<NamedMistake>& adamw_mistakes();

// The state of an optimizer, in double, beside the values of its parameters.
struct AdamWState {
    std::vector<std::vector<double>> values, m, v;
    std::size_t steps = 0;
};
AdamWState state_of(const AdamW& optimizer);

// One step on `state`, with the gradients that the optimizer's parameters have.
void reference_step(AdamWState& state, const AdamW& optimizer, double rate, const AdamWMistake& mistake = {});

// All values of a state, or of an optimizer, one behind the other.
enum class Part { values, m, v };
Tensor all_of(const AdamWState& state, Part part = Part::values);
Tensor all_of(const AdamW& optimizer, Part part = Part::values);

}  // namespace tfs::test
