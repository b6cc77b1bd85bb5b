// tests/11_generation/sampling_recipes.hpp · probabilities of tokens from a sorted list of those that are left, filter by filter
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/11_generation/sampling_suspects.hpp"

namespace tfs::test::recipes {

struct Token {
    long double p;
    std::size_t id;
};

// The tokens that are left, in the order in which filters see them.
struct Left {
    std::vector<Token> tokens;
    long double largest_at_first = 0.0L;
};

using Filter = std::function<void(Left&, const Sampling&)>;

void keep(Left& left, std::size_t count);  // the first ones
void divide(Left& left, const Sampling&);
void top_k(Left& left, const Sampling& s);
void top_p(Left& left, const Sampling& s);
void min_p(Left& left, const Sampling& s);
// `goes`: whether a token goes, and all behind it, from the sum of those before it, and with it. The first one stays.
Filter top_p_where(const std::function<bool(long double before, long double with, double top_p)>& goes);
// `least`: the smallest probability that stays.
Filter min_p_where(const std::function<long double(const Left&, double min_p)>& least, bool equal_stays);
long double of_largest(const Left& left, double share);

enum class Heat { divides, multiplies, ignored, of_probabilities, of_what_is_left };
enum class Order { smaller_id_first, larger_id_first, ids };

// How probabilities are made; by default as the contract says.
struct Recipe {
    std::string message = {};
    std::vector<Filter> filters = {top_k, divide, top_p, divide, min_p, divide};
    Heat heat = Heat::divides;
    Order order = Order::smaller_id_first;
};

// All 0 where no token is left.
std::vector<double> made_by(const Recipe& recipe, const SamplingCase& one);

}  // namespace tfs::test::recipes
