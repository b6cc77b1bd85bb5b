// tests/common/operations_test.cpp · every operation: value and gradient against PyTorch and finite differences; threads
//
// One table of cases serves all tests. tests/golden/area_common.py makes the inputs and the reference for each: the
// inputs NAME.a, .b, .c, then NAME.output, and NAME.grad_a … of sum(output * NAME.grad_weights).
// Tolerance: 1e-5 relative plus 1e-6 absolute (tests/support/close.hpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

#include "common/base/parallel.hpp"
#include "common/io/safetensors.hpp"
#include "common/kernels/row_kernels.hpp"
#include "common/tensor.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"

namespace tfs::test {
namespace {

using Inputs = std::vector<Tensor>;

struct OperationCase {
    std::string name;
    std::function<Tensor(const Inputs&)> f;
};
using Cases = std::vector<OperationCase>;

void PrintTo(const OperationCase& c, std::ostream* out) { *out << c.name; }

void add_arithmetic(Cases& cases) {
    for (const char* shapes : {"same", "row", "row_left", "column", "outer", "scalar", "scalar_left",
                               "scalars", "vectors", "rank4"}) {
        cases.push_back({fmt::format("add.{}", shapes), [](const Inputs& x) { return x[0] + x[1]; }});
        cases.push_back({fmt::format("subtract.{}", shapes), [](const Inputs& x) { return x[0] - x[1]; }});
        cases.push_back({fmt::format("multiply.{}", shapes), [](const Inputs& x) { return x[0] * x[1]; }});
        cases.push_back({fmt::format("divide.{}", shapes), [](const Inputs& x) { return x[0] / x[1]; }});
    }
    cases.push_back({"number.add", [](const Inputs& x) { return x[0] + 2.5f; }});
    cases.push_back({"number.subtract", [](const Inputs& x) { return x[0] - 2.5f; }});
    cases.push_back({"number.subtract_from", [](const Inputs& x) { return 2.5f - x[0]; }});
    cases.push_back({"number.multiply", [](const Inputs& x) { return x[0] * 2.5f; }});
    cases.push_back({"number.divide", [](const Inputs& x) { return x[0] / 2.5f; }});
    cases.push_back({"number.divide_by", [](const Inputs& x) { return 2.5f / x[0]; }});
    cases.push_back({"number.negate", [](const Inputs& x) { return -x[0]; }});
}

void add_elementwise(Cases& cases) {
    for (const char* rank : {"rank0", "rank1", "rank4"}) {
        cases.push_back({fmt::format("exp.{}", rank), [](const Inputs& x) { return exp(x[0]); }});
        cases.push_back({fmt::format("log.{}", rank), [](const Inputs& x) { return log(x[0]); }});
        cases.push_back({fmt::format("sqrt.{}", rank), [](const Inputs& x) { return sqrt(x[0]); }});
        cases.push_back({fmt::format("tanh.{}", rank), [](const Inputs& x) { return tanh(x[0]); }});
        cases.push_back({fmt::format("sigmoid.{}", rank), [](const Inputs& x) { return sigmoid(x[0]); }});
        cases.push_back({fmt::format("erf.{}", rank), [](const Inputs& x) { return erf(x[0]); }});
        cases.push_back(
            {fmt::format("maximum.{}", rank), [](const Inputs& x) { return maximum(x[0], 0.25f); }});
    }
}

void add_reductions(Cases& cases) {
    const std::vector<std::pair<std::string, std::vector<int>>> axes{
        {"rank1", {0}}, {"rank3", {0, 1, 2, -1, -3}}, {"rank4", {-2, 1}}};
    for (const auto& [rank, axes_of_rank] : axes) {
        for (const int axis : axes_of_rank) {
            for (const KeepDims keep : {KeepDims::no, KeepDims::yes}) {
                const std::string at =
                    fmt::format("{}.axis{}{}", rank, axis, keep == KeepDims::yes ? ".keep" : "");
                cases.push_back({"sum." + at, [=](const Inputs& x) { return sum(x[0], axis, keep); }});
                cases.push_back({"mean." + at, [=](const Inputs& x) { return mean(x[0], axis, keep); }});
                cases.push_back({"max." + at, [=](const Inputs& x) { return max(x[0], axis, keep); }});
                cases.push_back(
                    {"variance." + at, [=](const Inputs& x) { return variance(x[0], axis, keep); }});
            }
        }
    }
    for (const char* rank : {"rank0", "rank1", "rank3"}) {
        cases.push_back({fmt::format("sum_all.{}", rank), [](const Inputs& x) { return sum(x[0]); }});
        cases.push_back({fmt::format("mean_all.{}", rank), [](const Inputs& x) { return mean(x[0]); }});
    }
}

void add_shaping(Cases& cases) {
    cases.push_back({"reshape.join", [](const Inputs& x) { return reshape(x[0], {6, 4}); }});
    cases.push_back({"reshape.to_scalar", [](const Inputs& x) { return reshape(x[0], {}); }});
    for (const auto& [rank, a, b] : std::vector<std::tuple<int, int, int>>{
             {3, 0, 1}, {3, 1, 0}, {3, 0, 2}, {3, -1, -2}, {3, 1, 1}, {4, 1, 2}, {4, 0, 3}, {4, -1, 1}}) {
        cases.push_back({fmt::format("transpose.rank{}.{}.{}", rank, a, b),
                         [a = a, b = b](const Inputs& x) { return transpose(x[0], a, b); }});
    }
    for (const int axis : {0, 1, -1}) {
        cases.push_back(
            {fmt::format("concat.axis{}", axis), [axis](const Inputs& x) { return concat(x, axis); }});
    }
    cases.push_back({"slice.axis0", [](const Inputs& x) { return slice(x[0], 0, 1, 3); }});
    cases.push_back({"slice.axis1", [](const Inputs& x) { return slice(x[0], 1, 1, 2); }});
    cases.push_back({"slice.axis-1", [](const Inputs& x) { return slice(x[0], -1, 0, 3); }});
}

void add_lookups(Cases& cases) {
    cases.push_back(
        {"embedding.rank2", [](const Inputs& x) { return embedding(x[0], golden_ids("embedding.ids")); }});
    for (const char* kind : {"same", "heads", "padding", "causal"}) {
        const std::string name = fmt::format("masked_fill.{}", kind);
        cases.push_back(
            {name, [=](const Inputs& x) { return masked_fill(x[0], golden_mask(name + ".mask"), -7.0f); }});
    }
}

void add_products(Cases& cases) {
    const std::vector<std::pair<std::string, Transpose>> flags{
        {"none", Transpose::none}, {"a", Transpose::a}, {"b", Transpose::b}, {"both", Transpose::both}};
    for (const char* leading :
         {"matrices", "batch", "broadcast", "both", "one_right", "one_left", "ones_right"}) {
        for (const auto& [flag_name, flag] : flags) {
            cases.push_back({fmt::format("matmul.{}.{}", leading, flag_name),
                             [flag = flag](const Inputs& x) { return matmul(x[0], x[1], flag); }});
        }
    }
    for (const char* shape : {"vector", "rows", "batch"}) {
        cases.push_back(
            {fmt::format("linear.{}", shape), [](const Inputs& x) { return linear(x[0], x[1]); }});
        cases.push_back({fmt::format("linear.{}.bias", shape),
                         [](const Inputs& x) { return linear(x[0], x[1], &x[2]); }});
    }
}

const Cases& all_cases() {
    static const Cases cases = [] {
        Cases all;
        for (const auto& add :
             {add_arithmetic, add_elementwise, add_reductions, add_shaping, add_lookups, add_products}) {
            add(all);
        }
        return all;
    }();
    return cases;
}

Inputs inputs_of(const std::string& name, bool requires_grad) {
    Inputs inputs;
    for (const char* key : {".a", ".b", ".c"}) {
        if (golden().contains(name + key)) inputs.emplace_back(golden()[name + key].array(), requires_grad);
    }
    return inputs;
}

class operation : public testing::TestWithParam<OperationCase> {};

TEST_P(operation, value_equals_pytorch) {
    const auto& [name, f] = GetParam();
    EXPECT_TRUE(close(f(inputs_of(name, false)), golden()[name + ".output"]));
}

// For each input alone, and for all together.
TEST_P(operation, gradient_equals_pytorch_and_goes_only_where_it_is_required) {
    const auto& [name, f] = GetParam();
    const std::size_t count = inputs_of(name, false).size();
    for (std::size_t which = 0; which <= count; ++which) {
        Inputs inputs = inputs_of(name, which == count);
        if (which < count) inputs[which].set_requires_grad(true);
        sum(f(inputs) * golden()[name + ".grad_weights"]).backward();
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(inputs[i].has_grad(), which == count || i == which) << "input " << i;
            if (!inputs[i].has_grad()) continue;
            EXPECT_TRUE(close(inputs[i].grad(), golden()[name + ".grad_" + "abc"[i]].array()))
                << "input " << i;
        }
    }
}

TEST_P(operation, gradient_equals_finite_differences) {
    const auto& [name, f] = GetParam();
    EXPECT_TRUE(gradients_match(f, inputs_of(name, false)));
}

std::string test_name(const testing::TestParamInfo<OperationCase>& parameter) {
    std::string name;
    for (const char c : parameter.param.name) name += c == '-' ? "minus" : std::string(1, c == '.' ? '_' : c);
    return name;
}

INSTANTIATE_TEST_SUITE_P(all, operation, testing::ValuesIn(all_cases()), test_name);

TEST(operation_table, has_every_case_of_the_golden_file) {
    std::set<std::string> names;
    for (const OperationCase& c : all_cases()) names.insert(c.name);
    for (const NamedTensor& entry :
         load_safetensors(std::string(TFS_SOURCE_DIR) + "/tests/golden/common.safetensors")) {
        if (!entry.name.ends_with(".a")) continue;
        EXPECT_TRUE(names.contains(entry.name.substr(0, entry.name.size() - 2))) << entry.name;
    }
}

// ---- the number of threads changes no bit of a row loop -------------------------------------------------------

Tensor drawn(const Shape& shape, std::uint64_t seed, double low = -2.0, double high = 2.0) {
    Rng rng(seed);
    return Tensor(rng.uniform_array(shape, low, high));
}

// The result of f, and the gradients of its inputs, one after the other.
std::vector<float> value_and_gradients(const std::function<Tensor(const std::vector<Tensor>&)>& f,
                                       const std::vector<Tensor>& inputs) {
    std::vector<Tensor> leaves;
    for (const Tensor& input : inputs) leaves.emplace_back(Tensor(input.array(), true));
    const Tensor y = f(leaves);
    std::vector<float> all(y.values().begin(), y.values().end());
    sum(y * drawn(y.shape(), 9)).backward();
    for (const Tensor& leaf : leaves)
        all.insert(all.end(), leaf.grad().data(), leaf.grad().data() + leaf.size());
    return all;
}

testing::AssertionResult same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "the bits differ between 1 and 2 threads";
}

TEST(threads, operations_give_the_same_bits_for_one_and_two) {
    const Shape shape{5, 130, 4, 37};  // 96,200 elements: more than the least that runs in parallel
    const Tensor x = drawn(shape, 1), row = drawn({37}, 2), inner = drawn({5, 1, 4, 1}, 3, 0.5, 2.0);
    const Mask causal = Mask::from({1, 37}, std::vector<int>(37, 1));
    const std::vector<std::function<Tensor(const std::vector<Tensor>&)>> operations{
        [](const auto& in) { return in[0] + in[1]; },
        [](const auto& in) { return in[0] * in[2]; },
        [](const auto& in) { return in[0] / in[2]; },
        [](const auto& in) { return exp(in[0]); },
        [](const auto& in) { return sigmoid(in[0]); },
        [](const auto& in) { return erf(in[0]); },
        [](const auto& in) { return sum(in[0], -1); },
        [](const auto& in) { return mean(in[0], 1); },
        [](const auto& in) { return max(in[0], 2); },
        [](const auto& in) { return variance(in[0], -1, KeepDims::yes); },
        [](const auto& in) { return transpose(in[0], 1, 2); },
        [](const auto& in) { return transpose(in[0], 0, -1); },
        [](const auto& in) { return slice(in[0], 1, 3, 120); },
        [](const auto& in) { return concat(std::vector(2, in[0]), 2); },
        [causal](const auto& in) { return masked_fill(in[0], causal, 0.0f); },
    };
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const auto f =
            [&](const std::vector<Tensor>& in) {  // every input takes part, so that each has a gradient
                return sum(operations[i](in)) + sum(in[1]) + sum(in[2]);
            };
        std::vector<float> values[2];
        for (const int threads : {1, 2}) {
            const Threads guard(threads);
            const Tensor y = operations[i]({x, row, inner});
            values[threads - 1] = value_and_gradients(f, {x, row, inner});
            values[threads - 1].insert(values[threads - 1].end(), y.values().begin(), y.values().end());
        }
        EXPECT_TRUE(same_bits(values[0], values[1])) << "operation " << i;
    }
}

TEST(threads, row_kernels_give_the_same_bits_for_one_and_two) {
    constexpr std::size_t rows = 700, size = 131;
    const Tensor x = drawn({rows, size}, 1), dy = drawn({rows, size}, 2), gamma = drawn({size}, 3);
    std::vector<float> values[2];
    for (const int threads : {1, 2}) {
        const Threads guard(threads);
        std::vector<float> y(rows * size), all;
        const auto keep = [&] { all.insert(all.end(), y.begin(), y.end()); };
        kernels::softmax_rows(x.values(), y, size, 0.5f), keep();
        kernels::softmax_rows_backward(x.values(), dy.values(), y, size, 0.5f), keep();
        kernels::fill_rows(y, gamma.values()), keep();
        y.resize(size);
        kernels::sum_over_rows(x.values(), y), keep();
        values[threads - 1] = all;
    }
    EXPECT_TRUE(same_bits(values[0], values[1]));
}

// ---- products that run in parallel ----------------------------------------------------------------------------

TEST(matmul, of_stacks_that_run_in_parallel_is_each_product_alone) {
    const Tensor a = drawn({9, 70, 131}, 4), b = drawn({9, 131, 53}, 5);
    const Tensor all = matmul(a, b);
    for (std::size_t i = 0; i < 9; ++i)
        EXPECT_TRUE(close(slice(all, 0, i, i + 1), matmul(slice(a, 0, i, i + 1), slice(b, 0, i, i + 1)),
                          {1e-5, 3e-5}))
            << i;
}

}  // namespace
}  // namespace tfs::test
