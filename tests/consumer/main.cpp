// tests/consumer/main.cpp · the program of somebody's own project: attention over three equal vectors
#include <iostream>

#include "chapters/01_attention/attention.hpp"
#include "common/tensor/print.hpp"

int main() {
    tfs::Rng rng(1);
    const tfs::MultiHeadAttention attention(8, 2, rng);  // d_model 8, 2 heads
    const tfs::Tensor x = tfs::Tensor::ones({1, 3, 8});  // (batch, seq, d_model)
    std::cout << attention(x, x, x).weights << "\n";     // (batch, heads, query, key): all are 1/3
}
