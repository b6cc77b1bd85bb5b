// tests/10_training/batches_test.cpp · step batches: examples, padding, random orders, diagnosis
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "chapters/10_training/training.hpp"
#include "tests/10_training/wrong_orders.hpp"
#include "tests/10_training/wrong_padding.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(batches, the_target_is_the_next_id) {
    const List ids{5, 3, 8, 1, 9}, head{5, 3, 8, 1}, tail{3, 8, 1, 9};
    const auto [input, target] = next_token_example(ids);
    const bool no_input_cut = input == ids;
    EXPECT_EQ(input, head)
        << likely_if(no_input_cut, "the input is not cut: the last id has no next one, so it is left out")
        << likely_if(input == tail && target == head,
                     "input and target are exchanged: the model reads the id and predicts the next")
        << likely_if(input == tail && target != head,
                     "the input loses its first id; it is the last one that has no target")
        << likely_if(input == List{5, 3, 8}, "the input is cut twice");
    EXPECT_EQ(target, tail)
        << likely_if(
               (target == head && input != tail) || target == ids,
               "the targets are not shifted: at each position it is the NEXT id, or the model only copies")
        << likely_if(target == List{8, 1, 9} || target == List{8, 1, 9, ignored},
                     "the targets are shifted twice: they begin with the second id")
        << likely_if(target == List{3, 8, 1}, "the targets lose their last id; only the input is cut there")
        << likely_if(target == List{3, 8, 1, 9, 5},
                     "the targets go round: the first id does not follow the last")
        << likely_if(target == List{3, 8, 1, 9, ignored},
                     "the targets are filled up with `ignored`; cut the input at its end")
        << likely_if(target == List{9} || target == List{ignored, ignored, ignored, 9},
                     "only the last id is a target; every position has one")
        << likely_if(target == List{ignored, 5, 3, 8} || target == List{ignored, 5, 3, 8, 1},
                     "the targets are shifted to the wrong side: this is the id before");
}

TEST(batches, a_sequence_needs_two_ids) {
    const Example shortest = next_token_example({4, 6});
    EXPECT_EQ(std::pair(shortest.input, shortest.target), std::pair(List{4}, List{6}))
        << "two ids are enough";
    for (const List& ids : {List{}, List{3}})
        EXPECT_TRUE(refuses<ValueError>([&] { (void)next_token_example(ids); }, {},
                                        std::to_string(ids.size()) + " ids"));
}

// --- make_batch ----------------------------------------------------------------------------------------------

TEST(batches, rows_are_filled_up_to_the_longest_example) {
    for (const bool longest_last : {true, false}) {
        std::vector<Example> examples{{{1, 2}, {3, 4}}, {{5, 6, 7}, {8, 9, 10}}};
        if (!longest_last) std::swap(examples[0], examples[1]);
        const Tensor inputs = as_floats(make_batch(examples, 0).inputs);
        ASSERT_TRUE(has_shape(inputs, {2, 3}))
            << (longest_last ? "examples of 2 and 3 ids" : "examples of 3 and 2 ids")
            << likely_if(longest_last && inputs.shape() == Shape{2, 2},
                         "a row has the length of the first or the shortest example; take the longest")
            << likely_if(!longest_last && inputs.shape() == Shape{2, 2},
                         "a row has the length of the last example; take the longest")
            << likely_if(inputs.shape() == Shape{2, 4},
                         "one column too many: a row is as long as the longest example")
            << likely_if(inputs.shape() == Shape{3, 2},
                         "the axes are exchanged: a row belongs to one example, (batch, seq)");
    }
    const Batch batch = make_batch(three, 7);
    for (const bool of_targets : {false, true}) {
        const Tensor found = as_floats(of_targets ? batch.targets : batch.inputs);
        const std::string name = of_targets ? "targets" : "inputs";
        const Tensor expected = golden()["batch." + name];
        const auto result =
            close_named(name + ", pad_id 7", found, expected, {0, 0}, padding_suspects(of_targets));
        EXPECT_TRUE(result) << cause_of_padding(result, found, expected, of_targets ? ignored : 7);
    }
}

TEST(batches, what_an_example_says_stays) {
    const List input{0, 3, 0, 0}, target{3, 0, ignored, 0};
    const Batch batch = make_batch({{input, target}, {{1, 2}, {ignored, 1}}}, 0);
    const Tensor targets = as_floats(batch.targets), expected = padded({target, {ignored, 1}}, 4, ignored);
    const Tensor of_zeros = padded({{ignored, 0, ignored, ignored}, {ignored, 1}}, 4, ignored);
    const Tensor no_zeros = padded({{3, ignored, ignored, ignored}, {ignored, 1}}, 4, ignored);
    const std::string real =
        "pad_id inside of an example is a token like any other: only what the batch adds is `ignored`";
    const std::vector<Suspect> suspects{{real, [&] { return of_zeros; }}, {real, [&] { return no_zeros; }}};
    EXPECT_TRUE(close(as_floats(batch.inputs), padded({input, {1, 2}}, 4, 0), {0, 0}));
    EXPECT_TRUE(close_named("targets, pad_id 0", targets, expected, {0, 0}, suspects));
}

TEST(batches, one_id_makes_a_batch_and_no_id_does_not) {
    const Batch one = make_batch({{{8}, {2}}}, 0);
    EXPECT_TRUE(close(as_floats(one.inputs), Tensor::from({1, 1}, {8}))) << "one example of one id";
    EXPECT_TRUE(close(as_floats(one.targets), Tensor::from({1, 1}, {2}))) << "one example of one id";
    EXPECT_TRUE(refuses<ValueError>([] { (void)make_batch({}, 0); }, {}, "no examples"));
    EXPECT_TRUE(refuses<ValueError>(
        [] {
            (void)make_batch({{{1}, {2}}, {{}, {}}}, 0);
        },
        {"1"}, "an empty example"));
    EXPECT_TRUE(refuses<ValueError>(
        [] {
            (void)make_batch({{{1, 2, 3}, {2, 3}}}, 0);
        },
        {"3", "2"}, "an example of 3 ids and 2 targets"));
}

// --- shuffled_batches ----------------------------------------------------------------------------------------

Sizes sizes_of(const Order& batches) {
    Sizes sizes;
    for (const Sizes& batch : batches) sizes.push_back(batch.size());
    return sizes;
}

TEST(batches, all_numbers_are_cut_into_batches) {
    Rng rng(1);
    const auto sizes = [&](std::size_t count, std::size_t size) {
        return sizes_of(shuffled_batches(count, size, rng));
    };
    const Sizes found = sizes(10, 4);
    EXPECT_EQ(found, (Sizes{4, 4, 2}))
        << "10 numbers in batches of 4"
        << likely_if(found == Sizes{4, 4}, "the last, smaller batch is dropped: its examples are never seen")
        << likely_if(found == Sizes{4, 4, 4}, "the last batch is filled up; it may be smaller")
        << likely_if(found == Sizes{10}, "the order is not cut into batches")
        << likely_if(found == Sizes(4, 3) || found == Sizes{3, 3, 2, 2} || found == Sizes{3, 3, 3, 1},
                     "batch_size is taken for the number of batches")
        << likely_if(found == Sizes{4, 3, 3}, "the batches are evened out; only the last one may be smaller")
        << likely_if(found == Sizes{2, 4, 4}, "the first batch is the smaller one; it must be the last")
        << likely_if(found == Sizes{4, 4, 2, 0}, "an empty batch follows the last");
    if (found != Sizes{4, 4, 2}) return;
    const Sizes whole = sizes(8, 4);
    EXPECT_EQ(whole, (Sizes{4, 4})) << "8 numbers in batches of 4"
                                    << likely_if(whole == Sizes{4, 4, 0},
                                                 "an empty batch follows where batch_size divides count");
    EXPECT_EQ(sizes(3, 5), Sizes{3}) << "3 numbers in batches of 5";
    EXPECT_EQ(sizes(3, std::numeric_limits<std::size_t>::max()), Sizes{3})
        << "3 numbers in one batch of any size";
    EXPECT_EQ(sizes(3, 1), (Sizes{1, 1, 1})) << "3 numbers in batches of 1";
}

TEST(batches, every_number_comes_once) {
    Rng rng(2);
    for (int i = 0; i < 5; ++i) {
        Sizes numbers = numbers_of(shuffled_batches(10, 4, rng)), expected(10), found = numbers;
        std::iota(expected.begin(), expected.end(), std::size_t{0});
        ASSERT_FALSE(numbers == expected && numbers_of(shuffled_batches(10, 4, rng)) == expected)
            << "the numbers are in order" << likely_if(true, "nothing is shuffled");
        std::sort(numbers.begin(), numbers.end());
        const bool in_range = numbers.size() == 10 && numbers.back() < 10;
        const bool twice = std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end();
        for (std::size_t& number : expected) ++number;
        const bool from_1 = numbers == expected;
        for (std::size_t& number : expected) --number;
        ASSERT_EQ(numbers, expected)
            << "sorted; each number comes once"
            << likely_if(
                   in_range && twice,
                   "some numbers come twice and others never, as if each were drawn anew: change places "
                   "instead, so that none is lost")
            << likely_if(from_1, "the numbers begin at 1; an example is counted from 0");
    }
}

TEST(batches, the_order_is_that_of_the_contract) {
    const std::string cause = [&] {
        for (const WrongOrder& wrong : wrong_orders())
            if (explains(wrong)) return wrong.message;
        return std::string();
    }();
    for (const std::uint64_t seed : golden_seeds) {
        Rng rng(seed);
        for (const std::string time : {"first", "second"}) {
            const Sizes found = numbers_of(shuffled_batches(10, 4, rng));
            Sizes sorted = found;
            std::sort(sorted.begin(), sorted.end());
            const bool each_once = sorted.size() == 10 && sorted.front() == 0 && sorted.back() == 9 &&
                                   std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
            ASSERT_EQ(found, golden_order(seed, time))
                << "Rng(" << seed << "), " << time << " call" << likely_if(!cause.empty(), cause)
                << likely_if(cause.empty() && each_once && sorted != found,
                             "a shuffle, but another one than the contract's: for i = count-1, …, 1 number i "
                             "changes places "
                             "with number rng.below(i + 1)");
        }
    }
}

TEST(batches, one_number_can_be_shuffled_and_none_can_not) {
    Rng rng(1);
    EXPECT_EQ(shuffled_batches(1, 4, rng), Order{{0}}) << "1 number";
    EXPECT_TRUE(refuses<ValueError>([&] { (void)shuffled_batches(0, 4, rng); }, {"0"}, "0 examples"));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)shuffled_batches(4, 0, rng); }, {"0"}, "batches of 0"));
}

}  // namespace
}  // namespace tfs::test
