// chapters/09_transformer/program/trained_decoder.cpp · a decoder that chapter 10 trained: its maps, and what it writes
#include "chapters/09_transformer/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "common/program/trained.hpp"

namespace tfs {

namespace {

constexpr std::size_t characters_in_a_map = 11;  // "The cat sat"; many more could not be read

// What the trained model can't do; throws a ValueError that says it.
void require_possible(const TextTransformer& trained, const ModelChoice& choice, const std::string& text) {
    const TransformerConfig& config = trained.model.config;
    const auto require_size = [](const char* flag, std::size_t asked, std::size_t has) {
        if (asked > 0 && asked != has)
            throw ValueError(fmt::format("{} {}: the trained model has {}", flag, asked, has));
    };
    if (choice.name != "tiny-decoder")
        throw ValueError(fmt::format("the trained model is a decoder of another kind than {}", choice.name));
    require_size("--heads", choice.heads, config.block.num_heads);
    require_size("--d-model", choice.d_model, config.block.d_model);
    require_size("--layers", choice.layers, config.num_layers);
    (void)trained.tokenizer.encode(text, trained.config.max_len);
}

// A space and the end of a line would not be seen.
std::string label_of(const std::string& character) {
    return character == " " ? "␣" : character == "\n" ? "¶" : harmless(character);
}

}  // namespace

std::optional<TextTransformer> trained_decoder(Show& show, const ModelChoice& choice) {
    if (choice.load != no_file || choice.save != no_file) return std::nullopt;
    return trained_or_reason(show, "so these weights are random", [&] {
        auto trained = load_network<TextTransformer>(weights_file("characters"), character_kind());
        require_possible(trained, choice, show.options.text);
        return trained;
    });
}

std::vector<View> draw_character_maps(Show& show, const TextTransformer& trained) {
    const Ids all = trained.tokenizer.encode(show.options.text);
    TextIds text{
        trained.tokenizer.tokens(), Ids::from_shape({1, std::min(all.size(), characters_in_a_map)}), {}};
    std::copy_n(all.begin(), text.ids.size(), text.ids.begin());
    for (const std::int64_t id : text.ids) text.tokens.push_back(label_of(trained.tokenizer.token(id)));
    const NoGrad no_grad;
    return draw_attention_maps(
        {trained.model(text.ids, with_weights), {}}, trained.model, text,
        "a trained decoder that reads characters",
        " Chapter 10 trained this model on plays; ␣ is a space. In layer 1, head 1 gives about half of its "
        "weight to the character before; a space looks mostly at itself.");
}

void show_greedy_characters(Show& show, const TextTransformer& trained, std::size_t count) {
    const Ids prompt = trained.tokenizer.encode(show.options.text);
    const std::size_t room = trained.config.max_len - prompt.size();  // require_possible: there is some
    const Ids all = generate_greedy(trained.model, prompt, std::min(count, room));
    const std::string written =
        trained.tokenizer.decode({all.begin() + static_cast<std::ptrdiff_t>(prompt.size()), all.end()});
    std::istringstream lines(show.options.text + "|" + written);
    for (std::string line; std::getline(lines, line);)
        for (const std::string& part : wrap(harmless(line), screen_columns - 2))
            show.out << "  " << part << '\n';
    std::istringstream words_written(written);
    const std::vector<std::string> words(std::istream_iterator<std::string>(words_written), {});
    fmt::print(show.out,
               "  {} words and signs, {} of them different: greedy text repeats itself (chapter 10 draws by "
               "chance)\n",
               words.size(), std::set<std::string>(words.begin(), words.end()).size());
}

}  // namespace tfs
