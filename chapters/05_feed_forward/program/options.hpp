// chapters/05_feed_forward/program/options.hpp · what several files of chapter 05's program share: options, activations by name
#pragma once

#include <string>
#include <vector>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "common/program.hpp"

namespace tfs {

struct NamedActivation {
    std::string name;
    Activation activation;
};
inline const std::vector<NamedActivation> all_activations{{"relu", Activation::relu},
                                                          {"gelu", Activation::gelu},
                                                          {"gelu_tanh", Activation::gelu_tanh},
                                                          {"gelu_sigmoid", Activation::gelu_sigmoid},
                                                          {"silu", Activation::silu}};

namespace options {

inline const TextOption text = sentence();
inline const CountOption d_model = model_width(2, 2048),
                         d_ff{"--d-ff", 0, 0, 8192,
                              "width of the hidden layer, 2 to 8192; 0 is 4 times --d-model"};
inline const TextOption activation{"--activation",
                                   "gelu",
                                   "relu, gelu, gelu_tanh, gelu_sigmoid or silu",
                                   0,
                                   {"relu", "gelu", "gelu_tanh", "gelu_sigmoid", "silu"}};

}  // namespace options

}  // namespace tfs
