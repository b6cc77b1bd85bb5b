// tests/09_transformer/whole_model_suspects.cpp · what the stages of the shipped decoder are with one thing done wrong
#include "tests/09_transformer/whole_model_suspects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tfs::test {
namespace {

std::vector<Suspect> block_suspects_of(const WholeModel& m, const Tensor& x, std::size_t block) {
    const Way right = right_way(m, x, block);
    std::vector<Suspect> suspects;
    for (const Slip& slip : block_slips(m.config, x.size(1), block))
        suspects.push_back({slip.message, [=, &m] {
                                Way way = right;
                                slip.make(way);
                                return block_of(m, x, way);
                            }});
    return suspects;
}

std::vector<Suspect> embedding_suspects_of(const WholeModel& m, const Tensor& x) {
    const float root = std::sqrt(static_cast<float>(x.size(2)));
    const Tensor sinusoids = SinusoidalPositionalEncoding(x.size(2), x.size(1))(x);
    return {{"the embedding is scaled by sqrt(d_model); this model's is not", [=] { return x * root; }},
            {"positions are added; in this model they are rotary and come in every block",
             [=] { return sinusoids; }},
            {"the embedding is normed; the first norm is that of blocks.0.attention",
             [=, &m] { return normed(m, "blocks.0.attention.norm", x, m.config.block.norm_eps); }},
            {"the embedding is normed by final_norm, which comes after the blocks",
             [=, &m] { return normed(m, "final_norm", x, m.config.block.norm_eps); }}};
}

std::vector<Suspect> final_norm_suspects(const WholeModel& m, const Tensor& x) {
    const auto norm = [&m](const std::string& name, const Tensor& t) {
        return normed(m, name, t, m.config.block.norm_eps);
    };
    std::vector<Suspect> suspects{
        {"the final norm is missing", [=] { return x; }},
        {"the final norm is applied twice", [=] { return norm("final_norm", norm("final_norm", x)); }}};
    for (const float eps : other_eps)
        suspects.push_back({"the final norm has another eps; the model's is config.block.norm_eps",
                            [=, &m] { return normed(m, "final_norm", x, eps); }});
    for (std::size_t i = 0; i < m.config.num_layers; ++i)
        for (const char* half : {"attention", "feed_forward"})
            suspects.push_back(
                {fmt::format("this norm has the weights of blocks.{}.{}.norm; it has its own: final_norm", i,
                             half),
                 [=] { return norm(fmt::format("blocks.{}.{}.norm", i, half), x); }});
    return suspects;
}

std::vector<Suspect> logits_suspects_of(const WholeModel& m, const Tensor& unnormed, const Tensor& hidden) {
    const auto scores = [&m](const Tensor& t) { return m.linear("embedding", t, false); };
    const Tensor right = scores(hidden);
    const float root = std::sqrt(static_cast<float>(hidden.size(2)));
    const std::string before = "the logits are scores, before any softmax";
    return {{"the logits are computed from x without the final norm", [=] { return scores(unnormed); }},
            {"the final norm is applied once more before the logits",
             [=, &m] { return scores(normed(m, "final_norm", hidden, m.config.block.norm_eps)); }},
            {before + "; these are its probabilities", [=] { return softmax(right); }},
            {before + "; these are the logarithms of its probabilities", [=] { return log(softmax(right)); }},
            {"the logits are scaled by sqrt(d_model); they are not scaled", [=] { return right * root; }},
            {"the logits are divided by sqrt(d_model); they are not scaled", [=] { return right / root; }},
            {"this is what left the final norm; the logits are its products with the table's rows",
             [=] { return hidden; }}};
}

bool nearly_equal(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() &&
           std::equal(a.values().begin(), a.values().end(), b.values().begin(), [](float one, float other) {
               return std::abs(one - other) <= 1e-5f + 1e-4f * std::abs(other);
           });
}

}  // namespace

std::string two_causes(const WholeModel& model, const Tensor& x, const Tensor& got, std::size_t block) {
    const NoGrad no_grad;
    const Tensor window = slice(x, 0, 0, 1), wanted = slice(got, 0, 0, 1);
    const std::vector<Slip> slips = block_slips(model.config, x.size(1), block);
    const Way right = right_way(model, window, block);
    for (std::size_t i = 0; i < slips.size(); ++i) {
        for (std::size_t j = i + 1; j < slips.size(); ++j) {
            Way way = right;
            slips[i].make(way);
            slips[j].make(way);
            if (nearly_equal(block_of(model, window, way), wanted))
                return fmt::format("two things. First: {}. Second: {}", slips[i].message, slips[j].message);
        }
    }
    return {};
}

std::vector<Suspect> stage_suspects(const WholeModel& model, const std::vector<Stage>& right,
                                    std::size_t stage) {
    const Tensor& own = right[stage].x;
    std::vector<Suspect> suspects;
    if (stage == 0)
        suspects = embedding_suspects_of(model, own);
    else if (stage <= model.config.num_layers)
        suspects = block_suspects_of(model, right[stage - 1].x, stage - 1);
    else if (stage == model.config.num_layers + 1)
        suspects = final_norm_suspects(model, right[stage - 1].x);
    else
        suspects = logits_suspects_of(model, right[stage - 2].x, right[stage - 1].x);
    suspects.push_back({"only the last position is there; the stages are of all positions",
                        [=] { return slice(own, 1, own.size(1) - 1, own.size(1)); }});
    return suspects;
}

}  // namespace tfs::test
