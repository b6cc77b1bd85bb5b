// Step 11.1 · sample, fast
// solutions/11_generation/sample.fast.cpp · without sorting a large vocabulary: a heap gives the likeliest tokens as far as they are needed
#include <algorithm>
#include <cmath>
#include <numeric>

#include "chapters/11_generation/generation.hpp"
#include "chapters/11_generation/given/generation.hpp"

namespace tfs {

namespace {

// All ids as a heap: `next` takes the largest logit of those that are left, of equal ones the smaller id.
class LargestFirst {
  public:
    explicit LargestFirst(std::span<const float> logits) : logits_(logits), ids_(logits.size()) {
        std::iota(ids_.begin(), ids_.end(), std::size_t{0});
        std::make_heap(ids_.begin(), ids_.end(), After{logits_});
    }
    std::size_t next() {
        std::pop_heap(ids_.begin(), ids_.end(), After{logits_});
        const std::size_t id = ids_.back();
        ids_.pop_back();
        return id;
    }

  private:
    struct After {
        std::span<const float> logits;
        bool operator()(std::size_t a, std::size_t b) const {
            return logits[a] != logits[b] ? logits[a] < logits[b] : a > b;
        }
    };
    std::span<const float> logits_;
    std::vector<std::size_t> ids_;
};

// Keeps the likeliest tokens as long as more(how many, their sum) says so, and divides by the sum.
template <class More>
void keep_likeliest(std::vector<double>& p, std::span<const float> logits, const More& more) {
    std::vector<double> kept(p.size(), 0.0);
    LargestFirst ids(logits);
    double sum = 0.0;
    for (std::size_t count = 0; count < p.size() && more(count, sum); ++count) {
        const std::size_t id = ids.next();
        sum += kept[id] = p[id];
    }
    p = std::move(kept);
    divide_by_sum(p);
}

}  // namespace

std::vector<double> token_probabilities(std::span<const float> logits, const Sampling& sampling) {
    require_sampling("token_probabilities", logits, sampling);
    std::vector<double> p(logits.size(), 0.0);
    const auto best =
        static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    if (sampling.temperature == 0.0) {
        p[best] = 1.0;
        return p;
    }
    const double largest = logits[best];
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = std::exp((logits[i] - largest) / sampling.temperature);
    if (sampling.top_k < p.size()) {
        keep_likeliest(p, logits, [&](std::size_t count, double) { return count < sampling.top_k; });
    } else {
        divide_by_sum(p);
    }
    if (sampling.top_p < 1.0)
        keep_likeliest(p, logits, [&](std::size_t, double sum) { return sum < sampling.top_p; });
    if (sampling.min_p > 0.0) {
        const double least = sampling.min_p * p[best];
        for (double& one : p)
            if (one < least) one = 0.0;
        divide_by_sum(p);
    }
    return p;
}

std::int64_t sample(std::span<const double> probabilities, Rng& rng) {
    require_probabilities("sample", probabilities);
    const double u = rng.uniform();
    double sum = 0.0;
    std::size_t last = 0;  // the last token that is not 0
    for (std::size_t id = 0; id < probabilities.size(); ++id) {
        if (probabilities[id] == 0.0) continue;
        sum += probabilities[id];
        last = id;
        if (u < sum) break;
    }
    return static_cast<std::int64_t>(last);
}

}  // namespace tfs
