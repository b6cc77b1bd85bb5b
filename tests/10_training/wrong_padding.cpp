// tests/10_training/wrong_padding.cpp · the golden batch of make_batch, and the classic wrong ones
#include "tests/10_training/wrong_padding.hpp"

#include <functional>
#include <utility>

namespace tfs::test {

Tensor as_floats(const Ids& ids) {
    const Shape shape(ids.shape().begin(), ids.shape().end());
    return Tensor::from(shape, std::vector<float>(ids.begin(), ids.end()));
}

Tensor padded(const std::vector<List>& rows, std::size_t width, std::int64_t fill, bool at_the_front) {
    std::vector<float> all;
    for (List row : rows) {
        if (row.size() > width) row.resize(width);
        row.insert(at_the_front ? row.begin() : row.end(), width - row.size(), fill);
        all.insert(all.end(), row.begin(), row.end());
    }
    return Tensor::from({rows.size(), width}, all);
}

namespace {

std::vector<List> rows_of(const std::vector<Example>& examples,
                          const std::function<List(const Example&)>& row) {
    std::vector<List> rows;
    for (const Example& example : examples) rows.push_back(row(example));
    return rows;
}

}  // namespace

std::vector<Suspect> padding_suspects(bool of_targets) {
    const std::vector<List> inputs = rows_of(three, [](const Example& e) { return e.input; });
    const std::vector<List> targets = rows_of(three, [](const Example& e) { return e.target; });
    const std::vector<List> shifted =
        rows_of(three, [](const Example& e) { return List(e.target.begin() + 1, e.target.end()); });
    const std::vector<List> of_input =
        rows_of(three, [](const Example& e) { return List(e.input.begin() + 1, e.input.end()); });
    const std::vector<List> rows = of_targets ? targets : inputs;
    const std::int64_t fill = of_targets ? ignored : 7;
    std::vector<Suspect> all;
    const auto add = [&](const std::string& message, const Tensor& wrong) {
        all.push_back({message, [=] { return wrong; }});
    };
    add(of_targets ? "the targets are filled up with pad_id, so the model learns to predict padding; they "
                     "need `ignored`"
                   : "the inputs are filled up with `ignored`, which is no token; they need pad_id",
        padded(rows, 5, of_targets ? 7 : ignored));
    add(of_targets ? "the targets are filled up with 0, which is a token; they need `ignored`"
                   : "the inputs are filled up with 0; they need pad_id",
        padded(rows, 5, 0));
    add("the targets are filled up with -1; they need `ignored`", padded(rows, 5, -1));
    add("the padding is in front; a row begins with its example", padded(rows, 5, fill, true));
    add("the rows are cut to the shortest example; they are filled up to the longest", padded(rows, 2, fill));
    add("the rows are sorted by length; row i is example i", padded({rows[0], rows[2], rows[1]}, 5, fill));
    add("the rows are sorted by length; row i is example i", padded({rows[1], rows[2], rows[0]}, 5, fill));
    if (of_targets) {
        add("these are the inputs", padded(inputs, 5, ignored));
        add("these are the inputs", padded(inputs, 5, 7));
        add("the targets are shifted once more: example.target is shifted already",
            padded(shifted, 5, ignored));
        add("the targets are made of the inputs; an example brings its own", padded(of_input, 5, ignored));
    } else {
        add("these are the targets", padded(targets, 5, 7));
        add("these are the targets", padded(targets, 5, ignored));
    }
    return all;
}

std::string cause_of_padding(const testing::AssertionResult& result, const Tensor& found,
                             const Tensor& expected, float fill) {
    if (result || found.shape() != expected.shape()) return {};
    bool examples_right = std::string(result.message()).find("Likely cause") == std::string::npos;
    for (std::size_t i = 0; i < expected.size(); ++i)
        examples_right =
            examples_right && (expected.values()[i] == fill || found.values()[i] == expected.values()[i]);
    return likely_if(examples_right, fill == 7 ? "what is left of a row must be filled with pad_id"
                                               : "what is left of a row must be filled with `ignored`");
}

}  // namespace tfs::test
