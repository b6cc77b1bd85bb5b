// Step 3.3 · position_interpolation · ●●● · 30 min
// exercises/03_positional_encoding/position_interpolation.cpp · check yours with ./tutorial check 3.3
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
        // TODO 3.3: Design the factor of this pair. With 1 for all pairs heads lose many markers in 256 words; with
        // `interpolation` for all they find them, but the mean weight falls to two thirds.
        throw NotImplemented("3.3 position_interpolation");
    }
    return factors;
}

FactorChoice factor_choice() {
    FactorChoice choice;
    // TODO 3.3: Say what your factors do, and why: choice.slowed = Slowed::…; choice.no_change_fails = Because::…;
    // choice.interpolation_fails = Because::…; The contract has the answers to choose from.
    throw NotImplemented("3.3 position_interpolation");
    return choice;
}

}  // namespace tfs
