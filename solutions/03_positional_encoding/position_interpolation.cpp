// Step 3.3 · position_interpolation · ●●● · 30 min
// solutions/03_positional_encoding/position_interpolation.cpp
#include <algorithm>
#include <numbers>

#include "chapters/03_positional_encoding/positional_encoding.hpp"

namespace tfs {

std::vector<double> rotary_factors(const std::vector<double>& frequencies, std::size_t trained,
                                   std::size_t longest) {
    std::vector<double> factors(frequencies.size(), 1.0);
    if (longest <= trained) return factors;
    [[maybe_unused]] const double interpolation = static_cast<double>(trained) / static_cast<double>(longest);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        // How often the pair turns round within the trained length.
        [[maybe_unused]] const double turns =
            static_cast<double>(trained) * frequencies[i] / (2.0 * std::numbers::pi);
        // begin: Design the factor of this pair. With 1 for all pairs heads lose many markers in 256 words; with
        // `interpolation` for all they find them, but the mean weight falls to two thirds.
        const double kept = std::clamp((turns - 1.0) / 3.0, 0.0, 1.0);  // between 1 and 4 turns: mixtures
        factors[i] = kept + (1.0 - kept) * interpolation;
        // end
    }
    return factors;
}

FactorChoice factor_choice() {
    FactorChoice choice;
    // begin: Say what your factors do, and why: choice.slowed = Slowed::…; choice.no_change_fails = Because::…;
    // choice.interpolation_fails = Because::…; The contract has the answers to choose from.
    choice.slowed = Slowed::slow_pairs;
    choice.no_change_fails = Because::new_angles;
    choice.interpolation_fails = Because::near_words;
    // end
    return choice;
}

}  // namespace tfs
