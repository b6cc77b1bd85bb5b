// tests/10_training/wrong_orders.cpp · the golden orders of shuffled_batches, and the classic wrong ones
#include "tests/10_training/wrong_orders.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tests/support/golden.hpp"

namespace tfs::test {

namespace {

constexpr std::size_t numbers = 10, batch = 4;

Sizes in_order() {
    Sizes order(numbers);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

// The entries begin … end-1 change places as the contract says.
void shuffle_part(Sizes& order, std::size_t begin, std::size_t end, Rng& rng) {
    for (std::size_t i = end - begin - 1; i > 0; --i)
        std::swap(order[begin + i], order[begin + rng.below(i + 1)]);
}

}  // namespace

Sizes numbers_of(const Order& batches) {
    Sizes all;
    for (const Sizes& one : batches) all.insert(all.end(), one.begin(), one.end());
    return all;
}

Sizes golden_order(std::uint64_t seed, const std::string& time) {
    const Ids stored = golden_ids("order." + std::to_string(seed) + "." + time);
    return {stored.begin(), stored.end()};
}

std::vector<WrongOrder> wrong_orders() {
    std::vector<WrongOrder> all;
    // Each i of first, first + step, … changes places with partner(i).
    const auto swapped = [&](const std::string& message, bool down, std::size_t first, std::size_t last,
                             auto partner) {
        all.push_back({message, [=](Rng& rng) {
                           Sizes order = in_order();
                           for (std::size_t i = first; i != last; down ? --i : ++i)
                               std::swap(order[i], order[partner(i, rng)]);
                           return order;
                       }});
    };
    const auto any = [](std::size_t, Rng& rng) { return rng.below(numbers); };
    const auto not_itself = [](std::size_t i, Rng& rng) { return rng.below(i); };
    const auto up_to_itself = [](std::size_t i, Rng& rng) { return rng.below(i + 1); };
    const auto from_itself = [](std::size_t i, Rng& rng) { return i + rng.below(numbers - i); };
    const std::string biased =
        "rng.below(count): the partner is drawn from all numbers, so some orders are likelier; draw from 0 … "
        "i, "
        "rng.below(i + 1)";
    const std::size_t behind_0 = static_cast<std::size_t>(-1);
    for (const std::size_t last : {std::size_t{0}, behind_0}) swapped(biased, true, numbers - 1, last, any);
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}})
        swapped(biased, false, first, numbers, any);
    const std::string moves =
        "rng.below(i): a number can't keep its place, so many orders never come; i itself is possible too, "
        "rng.below(i + 1)";
    swapped(moves, true, numbers - 1, 0, not_itself);
    swapped(moves, false, 1, numbers, not_itself);
    swapped("i runs upwards; the contract says from count - 1 down to 1, which gives another order", false, 1,
            numbers, up_to_itself);
    swapped("i runs upwards; the contract says from count - 1 down to 1, which gives another order", false, 0,
            numbers, up_to_itself);
    for (const std::size_t last : {numbers - 1, numbers})
        swapped(
            "the shuffle begins at the front, with partners i … count-1; every order is equally likely, but "
            "it is "
            "another one than the contract's",
            false, 0, last, from_itself);
    swapped("number i = 1 is left out: the loop ends with it", true, numbers - 1, 1, up_to_itself);
    swapped("the last number is left out: the loop begins with i = count - 1", true, numbers - 2, 0,
            up_to_itself);
    swapped("one draw too many: for i = 0 there is nothing to change, and the next call gets other numbers",
            true, numbers - 1, behind_0, up_to_itself);
    all.push_back({"the numbers of each batch are shuffled among themselves; shuffle all of them, then cut",
                   [](Rng& rng) {
                       Sizes order = in_order();
                       for (std::size_t begin = 0; begin < numbers; begin += batch)
                           shuffle_part(order, begin, std::min(begin + batch, numbers), rng);
                       return order;
                   }});
    all.push_back({"the batches are shuffled, not the numbers: the same examples always meet", [](Rng& rng) {
                       Sizes of_batches{0, 1, 2}, order;
                       shuffle_part(of_batches, 0, 3, rng);
                       for (const std::size_t one : of_batches)
                           for (std::size_t i = one * batch; i < std::min((one + 1) * batch, numbers); ++i)
                               order.push_back(i);
                       return order;
                   }});
    all.push_back({"the order is reversed: the first batch begins with the number at place 0", [](Rng& rng) {
                       Sizes order = in_order();
                       shuffle_part(order, 0, numbers, rng);
                       return Sizes(order.rbegin(), order.rend());
                   }});
    all.push_back(
        {"two numbers at random change places; in the contract it is number i, from count-1 down to 1",
         [](Rng& rng) {
             Sizes order = in_order();
             for (std::size_t i = numbers - 1; i > 0; --i) {
                 const std::size_t a = rng.below(numbers), b = rng.below(numbers);
                 std::swap(order[a], order[b]);
             }
             return order;
         }});
    all.push_back(
        {"each call gives the same order: the Rng is copied; draw from `rng` itself, so that it moves on",
         [](Rng& rng) {
             Rng copy = rng;
             Sizes order = in_order();
             shuffle_part(order, 0, numbers, copy);
             return order;
         }});
    return all;
}

bool explains(const WrongOrder& wrong) {
    bool all = true, differs = false;
    for (const std::uint64_t seed : golden_seeds) {
        Rng rng(seed), same(seed);
        for (const std::string time : {"first", "second"}) {
            const Sizes found = numbers_of(shuffled_batches(numbers, batch, rng));
            all = all && found == wrong.order(same);
            differs = differs || found != golden_order(seed, time);
        }
    }
    return all && differs;
}

}  // namespace tfs::test
