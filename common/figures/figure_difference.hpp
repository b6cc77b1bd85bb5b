// common/figures/figure_difference.hpp · whether two figures mean the same
#pragma once

#include <functional>
#include <string>

namespace tfs {

// What may differ between two drawings of one figure. Their structure must be the same.
struct FigureTolerance {
    // Of numbers that are drawn: as a share of the largest in their own series (a curve, a map, a bar). On a logarithmic axis
    // each number may differ by three times that share of its own size.
    double share = 3e-3;
    double factor = 1.0;  // they may also differ by this factor: numbers of a training
    double rounding =
        0.0;  // what is smaller comes from rounding: its order of magnitude counts, a factor of ten
    bool numbers = true;  // false: they may be any, and as many: measured times
    std::function<bool(const std::string&, const std::string&)> same_text = std::equal_to<std::string>();
};

// Where a figure is not as another, both as json() writes them: "panels[0].series[1].y: 0.5 is now 0.7"; empty if they mean the
// same. Throws FileError if one is no JSON.
std::string figure_difference(const std::string& kept, const std::string& drawn,
                              const FigureTolerance& tolerance = {});

}  // namespace tfs
