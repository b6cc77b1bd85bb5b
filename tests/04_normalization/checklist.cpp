// tests/04_normalization/checklist.cpp · what several checks of chapter 04 share
#include "tests/04_normalization/checklist.hpp"

namespace tfs::test {

Tensor mean_of(const Tensor& x, int axis) { return mean(x, axis, KeepDims::yes); }
Tensor variance_of(const Tensor& x, int axis) { return variance(x, axis, KeepDims::yes); }
Tensor deviation_of(const Tensor& x, float eps, int axis) { return sqrt(variance_of(x, axis) + eps); }
Tensor rms_of(const Tensor& x, float eps, int axis) { return sqrt(mean_of(x * x, axis) + eps); }
Tensor normalised(const Tensor& x, float eps, int axis) {
    return (x - mean_of(x, axis)) / deviation_of(x, eps, axis);
}

Tensor gradient_through(const std::function<Tensor(const Tensor&)>& f, const Tensor& x,
                        const Tensor& upstream) {
    const Tensor copy(x.array(), true);
    sum(f(copy) * upstream).backward();
    return Tensor(copy.grad());
}

Suspect known(const std::string& message, const Tensor& wrong) {
    return {message, [wrong] { return wrong; }};
}

void expect_axes_in_front_to_stay(const std::function<Tensor(const Tensor&)>& norm) {
    const Tensor rows = normal({1, 6, 8}, 29), expected = norm(rows);
    ASSERT_TRUE(has_shape(expected, {1, 6, 8}));
    const std::string cause =
        "the number of axes is assumed; x may have any in front of its features, also none, and they stay";
    for (const Shape& shape : {Shape{8}, Shape{6, 8}, Shape{2, 3, 8}, Shape{1, 2, 3, 8}}) {
        const auto shaped = [&](const Tensor& all) {
            return reshape(shape.size() == 1 ? slice(all, 1, 0, 1) : all, shape);
        };
        try {
            EXPECT_TRUE(close_named("of " + to_string(shape), norm(shaped(rows)), shaped(expected), {0, 0}))
                << likely_if(norm(shaped(rows)).shape() != shape, cause);
        } catch (const NotImplemented&) {
            throw;
        } catch (const Error& error) {
            ADD_FAILURE() << "of " << to_string(shape) << ": " << error.what() << likely_if(true, cause);
        }
    }
}

}  // namespace tfs::test
