// tests/10_training/clipped.cpp · gradients to clip, and the mistakes behind what came out
#include "tests/10_training/clipped.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/10_training/adamw_reference.hpp"
#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {

namespace {

const std::vector<std::string> clip_names{"weight", "bias", "kernel"};

}  // namespace

Parameters with_gradients(const std::vector<Tensor>& gradients) {
    Parameters all;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        Tensor parameter(normal(gradients[i].shape(), 20 + i).array(), true);
        set_gradient(parameter, gradients[i].array());
        all.push_back({i < clip_names.size() ? clip_names[i] : std::to_string(i), parameter});
    }
    return all;
}

namespace {

// One behind the other, as the one long vector of the contract.
Tensor joined(const std::vector<Tensor>& all) {
    std::vector<Tensor> flat;
    for (const Tensor& one : all) flat.push_back(reshape(one, {one.size()}));
    return concat(flat, 0);
}

Tensor joined_gradients(const Parameters& parameters) {
    std::vector<Tensor> all;
    for (const NamedTensor& p : parameters)
        if (p.tensor.has_grad()) all.emplace_back(p.tensor.grad());
    return joined(all);
}

double sum_of(const Tensor& x, const std::function<double(double)>& f) {
    double total = 0.0;
    for (const float value : x.values()) total += f(value);
    return total;
}

double squares_of(const Tensor& x) {
    return sum_of(x, [](double value) { return value * value; });
}

}  // namespace

const std::vector<ClipCase>& clip_cases() {
    static const std::vector<ClipCase> cases = [] {
        std::vector<ClipCase> all;
        for (const auto& [name, largest] : {std::pair{"long", 1.5}, {"short", 50.0}}) {
            std::vector<Tensor> gradients, clipped;
            for (const std::string& one : clip_names) {
                gradients.push_back(optimizer_golden()["clip.grad." + one]);
                clipped.push_back(optimizer_golden()[fmt::format("clip.{}.{}", name, one)]);
            }
            const double norm = optimizer_golden()[fmt::format("clip.{}.norm", name)].item();
            all.push_back({"PyTorch", gradients, largest, norm, joined(clipped)});
        }
        const std::vector<Tensor> gradients{Tensor::from({3}, {1, -2, 2}), Tensor::from({1, 2}, {-4, 0})};
        for (const double largest : {0.5, 2.5, 4.5, 5.0, 6.0})
            all.push_back({"gradients (1, -2, 2) and (-4, 0)", gradients, largest, 5.0,
                           joined(gradients) * static_cast<float>(std::min(1.0, largest / 5.0))});
        return all;
    }();
    return cases;
}

Clipped clipped(const ClipCase& c) {
    const Parameters parameters = with_gradients(c.gradients);
    std::vector<Tensor> before, after;
    for (const NamedTensor& p : parameters) before.emplace_back(p.tensor.array());
    const double returned = clip_by_global_norm(parameters, c.largest);
    for (const NamedTensor& p : parameters) after.emplace_back(p.tensor.array());
    return {returned, joined_gradients(parameters), joined(after), joined(before)};
}

namespace {

struct WrongLength {
    std::string message;
    std::function<double(const ClipCase&)> length;
};

const std::vector<WrongLength>& wrong_lengths() {
    const auto of_all = [](double (*f)(double)) {
        return [f](const ClipCase& c) { return sum_of(joined(c.gradients), f); };
    };
    static const std::vector<WrongLength> all{
        {"the lengths of the parameters are added; add their squares, and take one root of the sum",
         [](const ClipCase& c) {
             double sum = 0.0;
             for (const Tensor& one : c.gradients) sum += std::sqrt(squares_of(one));
             return sum;
         }},
        {"the root is missing", [](const ClipCase& c) { return squares_of(joined(c.gradients)); }},
        {"the length is that of the largest entry; all entries count",
         [](const ClipCase& c) {
             double largest = 0.0;
             for (const float g : joined(c.gradients).values())
                 largest = std::max(largest, std::abs(double{g}));
             return largest;
         }},
        {"the entries are added without their squares", of_all([](double g) { return g; })},
        {"the absolute entries are added, not their squares", of_all([](double g) { return std::abs(g); })},
        {"the root is that of the mean of the squares; it is that of their sum",
         [](const ClipCase& c) {
             const Tensor all = joined(c.gradients);
             return std::sqrt(squares_of(all) / static_cast<double>(all.size()));
         }},
        {"the length of the first gradient alone; it is that of all together",
         [](const ClipCase& c) { return std::sqrt(squares_of(c.gradients.front())); }},
        {"the length of the last gradient alone; it is that of all together",
         [](const ClipCase& c) { return std::sqrt(squares_of(c.gradients.back())); }},
        {"the length is that of the parameters' values, not of their gradients",
         [](const ClipCase& c) { return std::sqrt(squares_of(clipped(c).values_before)); }}};
    return all;
}

bool lengths_are(const std::function<double(const ClipCase&)>& length) {
    return std::all_of(clip_cases().begin(), clip_cases().end(), [&](const ClipCase& c) {
        return std::abs(clipped(c).returned - length(c)) <= 1e-5 * std::abs(length(c));
    });
}

}  // namespace

bool lengths_are_right() {
    return lengths_are([](const ClipCase& c) { return c.norm; });
}

bool clipping_is_right() {
    return lengths_are_right() &&
           std::all_of(clip_cases().begin(), clip_cases().end(), [](const ClipCase& c) {
               const Clipped result = clipped(c);
               return close(result.gradients, c.expected) && close(result.values, result.values_before);
           });
}

bool clipping_refuses_nan() {
    const Parameters parameters = with_gradients({Tensor::full({2}, nan)});
    return !thrown_by([&] { clip_by_global_norm(parameters, 1.0); }).type.empty();
}

std::string likely_length() {
    const std::string before = "; return the length before clipping";
    std::vector<WrongLength> all = wrong_lengths();
    all.push_back({"the length after clipping is returned; it is that before",
                   [](const ClipCase& c) { return std::min(c.norm, c.largest); }});
    all.push_back({"the limit is returned" + before, [](const ClipCase& c) { return c.largest; }});
    all.push_back({"the factor is returned" + before, [](const ClipCase& c) { return c.largest / c.norm; }});
    all.push_back({"the factor is returned" + before,
                   [](const ClipCase& c) { return std::min(1.0, c.largest / c.norm); }});
    for (const auto& [message, length] : all)
        if (lengths_are(length)) return message;
    return "";
}

std::string likely_clipping() {
    struct WrongClipping {
        std::string message;
        std::function<Tensor(const ClipCase&)> gradients;
    };
    std::vector<WrongClipping> all;
    // A factor of all gradients, where they are too long.
    const auto add = [&](const std::string& message, const std::function<double(const ClipCase&)>& factor) {
        all.push_back({message, [=](const ClipCase& c) {
                           return joined(c.gradients) *
                                  static_cast<float>(c.norm > c.largest ? factor(c) : 1.0);
                       }});
    };
    add("the gradients are not shortened", [](const ClipCase&) { return 1.0; });
    add("the factor is upside down: it is largest / length",
        [](const ClipCase& c) { return c.norm / c.largest; });
    add("the gradients are shortened to length 1, not to `largest`",
        [](const ClipCase& c) { return 1.0 / c.norm; });
    add("the gradients are multiplied by `largest`, but not divided by their length",
        [](const ClipCase& c) { return c.largest; });
    add("the gradients are shortened twice",
        [](const ClipCase& c) { return c.largest / c.norm * c.largest / c.norm; });
    all.push_back(
        {"a gradient that is short enough is scaled; only a longer one is shortened",
         [](const ClipCase& c) { return joined(c.gradients) * static_cast<float>(c.largest / c.norm); }});
    for (const auto& [message, length] : wrong_lengths())
        all.push_back({message, [length = length](const ClipCase& c) {
                           return joined(c.gradients) *
                                  static_cast<float>(std::min(1.0, c.largest / length(c)));
                       }});
    all.push_back({"each gradient is clipped by its own length; there is one length for all together",
                   [](const ClipCase& c) {
                       std::vector<Tensor> each;
                       for (const Tensor& one : c.gradients)
                           each.push_back(one * static_cast<float>(
                                                    std::min(1.0, c.largest / std::sqrt(squares_of(one)))));
                       return joined(each);
                   }});
    all.push_back({"each entry is cut to ±largest; shorten all by one factor, so that the direction stays",
                   [](const ClipCase& c) {
                       Array cut = joined(c.gradients).array();
                       const auto limit = static_cast<float>(c.largest);
                       for (float& value : cut) value = std::clamp(value, -limit, limit);
                       return Tensor(cut);
                   }});
    for (const auto& [message, gradients] : all)
        if (std::all_of(clip_cases().begin(), clip_cases().end(), [&, wrong = gradients](const ClipCase& c) {
                return bool{close(clipped(c).gradients, wrong(c))};
            }))
            return message;
    return "";
}

}  // namespace tfs::test
