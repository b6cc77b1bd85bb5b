// chapters/07_block/program/published_models.cpp · four published models counted, item by item, and the formula of the source notes
#include <fmt/ostream.h>
#include "chapters/07_block/program/sections.hpp"

#include <array>

#include "chapters/07_block/cost.hpp"

namespace tfs {

namespace {

// What a whole model adds to its blocks (chapter 09 builds it).
struct Published {
    const char* name;
    BlockConfig block;
    std::size_t layers, vocabulary, vocabulary_of_notes;
    std::size_t positions;    // rows of a learned table
    std::size_t segments;     // likewise
    std::size_t other_norms;  // on the embedding, or at the end
    bool pooler, untied_output;
    std::size_t published;

    std::size_t norm() const { return block_parameters(block).norm; }
    std::size_t d() const { return block.d_model; }
};

std::array<Published, 4> published_models() {
    return {{{"BERT-base", bert_block(), 12, 30522, 30000, 512, 2, 1, true, false, 109482240},
             {"GPT-2", gpt2_block(), 12, 50257, 50257, 1024, 0, 1, false, false, 124439808},
             {"LLaMA-7B", llama_block(), 32, 32000, 32000, 0, 0, 1, false, true, 6738415616},
             {"Qwen-7B", qwen_block(), 32, 151936, 151936, 0, 0, 1, false, true, 7721324544}}};
}

// count_parameters() of transformer-block.md, 2.3.8. It takes num_heads as well, and does not use it.
std::size_t formula_of_notes(std::size_t d_model, std::size_t d_ff, std::size_t layers,
                             std::size_t vocabulary) {
    const std::size_t attention = 4 * d_model * d_model, network = 2 * d_model * d_ff, norms = 2 * d_model;
    return vocabulary * d_model + layers * (attention + network + norms);
}

struct Item {
    const char* name;
    std::size_t (*count)(const Published&);
};

const Item items[] = {
    {"notes' formula",
     [](const Published& m) {
         return formula_of_notes(m.d(), m.block.d_ff, m.layers, m.vocabulary_of_notes);
     }},
    {"+ its vocabulary is 30,000, not 30,522",
     [](const Published& m) { return (m.vocabulary - m.vocabulary_of_notes) * m.d(); }},
    {"+ beta of both norms", [](const Published& m) { return m.layers * 2 * (m.norm() - m.d()); }},
    {"+ biases of attention",
     [](const Published& m) { return m.layers * (block_parameters(m.block).attention - 4 * m.d() * m.d()); }},
    {"+ biases of the network",
     [](const Published& m) {
         const std::size_t matrices = m.block.feed_forward == FeedForwardKind::swiglu ? 3 : 2;
         return m.layers * (block_parameters(m.block).feed_forward - matrices * m.d() * m.block.d_ff);
     }},
    {"+ SwiGLU's third matrix",
     [](const Published& m) {
         return m.block.feed_forward == FeedForwardKind::swiglu ? m.layers * m.d() * m.block.d_ff : 0;
     }},
    {"+ learned positions", [](const Published& m) { return m.positions * m.d(); }},
    {"+ segments", [](const Published& m) { return m.segments * m.d(); }},
    {"+ norm of the embedding, or at the end", [](const Published& m) { return m.other_norms * m.norm(); }},
    {"+ pooler", [](const Published& m) { return m.pooler ? m.d() * m.d() + m.d() : 0; }},
    {"+ output table of its own",
     [](const Published& m) { return m.untied_output ? m.vocabulary * m.d() : 0; }}};

// What is subtracted in an item may be more than what it is subtracted from: a count that is too low shows as negative.
std::string signed_count(std::size_t count) {
    const auto number = static_cast<std::ptrdiff_t>(count);
    return number < 0 ? "-" + with_separators(static_cast<std::size_t>(-number)) : with_separators(count);
}

void print_row(std::ostream& out, const std::string& name, const std::array<std::size_t, 4>& counts) {
    fmt::print(out, "  {:<40}", name);
    for (const std::size_t count : counts) fmt::print(out, "{:>16}", count == 0 ? "-" : signed_count(count));
    out << '\n';
}

}  // namespace

void count_published_models(Show& show) {
    const std::array<Published, 4> models = published_models();
    fmt::print(show.out, "  {:<40}", "");
    for (const Published& model : models) fmt::print(show.out, "{:>16}", model.name);
    show.out << '\n';
    std::array<std::size_t, 4> sums{}, counts{}, blocks{}, published{};
    for (const Item& item : items) {
        for (std::size_t i = 0; i < models.size(); ++i) sums[i] += counts[i] = item.count(models[i]);
        print_row(show.out, item.name, counts);
    }
    bool equal = true;
    for (std::size_t i = 0; i < models.size(); ++i) {
        blocks[i] = block_parameters(models[i].block).total();
        published[i] = models[i].published;
        equal = equal && sums[i] == published[i];
    }
    print_row(show.out, "= sum", sums);
    print_row(show.out, "published", published);
    print_row(show.out, "of which one block, by step 7.5", blocks);
    fmt::print(show.out, "  check  all four sums are the published numbers: {}\n", equal ? "yes" : "NO");
}

}  // namespace tfs
