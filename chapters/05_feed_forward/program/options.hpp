// chapters/05_feed_forward/program/options.hpp · what several sections of chapter 05 share: options, activations by name, a network
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

// --d-ff, or 4 times --d-model.
[[nodiscard]] std::size_t hidden_size(const Request& request);

// The sentence as random embeddings x (1, seq, d_model), and an untrained network for it. Reads --text, --d-model, --d-ff, --seed.
struct SentenceNetwork {
    Tensor x;
    FeedForward layer;
    Rng rng;  // draws what comes after them
};
[[nodiscard]] SentenceNetwork sentence_network(const Request& request,
                                               Activation activation = Activation::gelu);

}  // namespace tfs
