// chapters/04_normalization/program/histogram.hpp · what normalising does to a distribution, measured
#pragma once

#include "common/program.hpp"

namespace tfs {

// Normalising moves and stretches a histogram; its shape stays. Prints mean, variance, skewness and kurtosis before and
// after; the figure has the histograms.
LineFigure measure_histogram(Show& show);

}  // namespace tfs
