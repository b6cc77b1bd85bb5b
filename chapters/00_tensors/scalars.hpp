// chapters/00_tensors/scalars.hpp · a tape of single numbers: what backward() does, without shapes
//
// Source: Baydin et al. 2018 (arXiv:1502.05767), section 3.2, reverse mode.
//
//     Scalars tape;
//     Scalar& e = tape.number(2);
//     Scalar& loss = tape.product(e, e);
//     scalar_backward(loss);  // e.gradient is 4
#pragma once

#include <deque>
#include <vector>

namespace tfs {

// A number, and how it was made.
struct Scalar {
    double value = 0.0;
    double gradient = 0.0;              // how fast the loss changes with this number
    std::vector<Scalar*> parents = {};  // what it was computed from; one may come twice, as in e * e
    std::vector<double> local = {};     // for each parent: how fast this number changes with it
};

// Given · Owns the numbers of a computation, and frees them one after the other.
class Scalars {
  public:
    Scalar& number(double value);              // computed from nothing
    Scalar& sum(Scalar& a, Scalar& b);         // a + b
    Scalar& difference(Scalar& a, Scalar& b);  // a - b
    Scalar& product(Scalar& a, Scalar& b);     // a * b
    Scalar& tanh(Scalar& a);

  private:
    std::deque<Scalar> all_;  // its numbers stay where they are
};

// Step scalar_backward · The gradient of the loss at each number from which it was computed, by the chain rule from its end:
//   loss.gradient = 1,   parent.gradient = the sum of user.gradient * user.local[i]
//                        over all users and all i for which user.parents[i] is this parent (in e * e two)
// Only uses that lead to the loss count. A number sends to its parents only when all of these uses have sent to it. What the
// gradients were before doesn't matter: a second call gives the same. Numbers from which the loss was not computed stay as they
// are. A chain may have 100,000 numbers, and a number may be reached in very many ways.
void scalar_backward(Scalar& loss);

}  // namespace tfs
