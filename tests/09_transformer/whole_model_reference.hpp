// tests/09_transformer/whole_model_reference.hpp · the stages of the shipped decoder, from the tensor layer and chapters 01 to 05
//
// A decoder with LayerNorm, biases, rotary positions and a tied output.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "chapters/09_transformer/whole_model.hpp"

namespace tfs::test {

using Map = std::function<Tensor(const Tensor&)>;

enum class Order { pre, post, both, none, on_normed, norm_after, no_residual };

// How a block is computed. Each member is right as it is; a wrong block has another value in one of them.
struct Way {
    std::size_t block = 0;  // whose weights
    Order attention = Order::pre, network = Order::pre;
    std::string attention_norm = "attention.norm", network_norm = "feed_forward.norm";
    float eps = 0.0f;
    std::vector<std::string> without_bias = {};
    bool transposed = true;  // the weights of attention
    std::string q = "w_q", k = "w_k", v = "w_v";
    std::string unnormed = "";  // of q, k, v: those that read x itself
    Map split, merge;
    bool turn_q = true, turn_k = true, turn_v = false;
    Map turn;
    float factor = 1.0f;  // of the scores
    std::optional<Mask> mask;
    bool project = true;  // by w_o
    Map activate;
    bool network_reads_x = false, network_reads_normed = false, network_joins_normed = false,
         network_first = false, has_attention = true, has_network = true;
};

Way right_way(const WholeModel& model, const Tensor& x, std::size_t block);

// What this block gives.
Tensor block_of(const WholeModel& model, const Tensor& x, const Way& way);

Tensor normed(const WholeModel& model, const std::string& name, const Tensor& x, float eps);

std::vector<Stage> reference_stages(const WholeModel& model, const Ids& ids);

}  // namespace tfs::test
