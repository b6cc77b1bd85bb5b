// chapters/01_attention/given/noun_finder.cpp · the smallest model that learns something, given
#include "chapters/01_attention/given/noun_finder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "common/io/metadata.hpp"
#include "common/text/display.hpp"
#include "common/text/words.hpp"

namespace tfs {

namespace {

std::string lower_case(std::string word) {
    for (char& letter : word) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return word;
}

}  // namespace

NounFinder::NounFinder(std::vector<std::string> vocabulary, std::size_t d_model, std::size_t heads, Rng& rng)
    : words(std::move(vocabulary)),
      embedding(words.size(), d_model, rng),
      attention(d_model, heads, rng),
      output(d_model, words.size(), rng) {}

Ids NounFinder::ids_of(const std::vector<std::string>& sentence) const {
    Ids ids = Ids::from_shape({1, sentence.size()});
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const std::optional<std::int64_t> id = id_of(words, lower_case(sentence[i]));
        if (!id)
            throw ValueError(
                fmt::format("the trained model does not know the word \"{}\"", harmless(sentence[i])));
        ids(0, i) = *id;
    }
    return ids;
}

AttentionOutput NounFinder::attend(const Ids& ids, const std::optional<Mask>& mask) const {
    const Tensor x = embedding(ids);
    return attention(x, x, x, mask);
}

Tensor NounFinder::logits(const Ids& ids) const { return output(attend(ids).output); }

Tensor NounFinder::weights(const Ids& ids) const { return attend(ids).weights; }

Parameters NounFinder::parameters() const {
    Parameters all;
    append(all, "embedding", embedding.parameters());
    append(all, "attention", attention.parameters());
    append(all, "output", output.parameters());
    return all;
}

NounGuess guess_noun(const NounFinder& model, const std::vector<std::string>& sentence,
                     const std::optional<Mask>& mask) {
    const NoGrad no_grad;
    const auto [output, weights] = model.attend(model.ids_of(sentence), mask);
    const std::size_t last = sentence.size() - 1, heads = model.attention.num_heads;
    const Tensor scores = model.output(slice(output, 1, last, last + 1));
    const auto values = scores.values();
    const auto best = std::max_element(values.begin(), values.end());
    NounGuess guess;
    guess.noun = model.words[static_cast<std::size_t>(best - values.begin())];
    guess.map = weights;
    for (std::size_t key = 0; key <= last; ++key) {
        float sum = 0.0f;
        for (std::size_t head = 0; head < heads; ++head) sum += weights.at({0, head, last, key});
        guess.weights.push_back(sum / static_cast<float>(heads));
        if (guess.weights.back() > guess.weights[guess.most]) guess.most = key;
    }
    return guess;
}

HeatMapFigure noun_maps(const NounFinder& model, std::vector<std::string> sentence,
                        const std::vector<std::string>& last_words) {
    HeatMapFigure figure{
        .name = "nouns",
        .title = "What the last word looks at: one trained head",
        .caption =
            "The model was trained to answer at the last word only: which noun is tired, or "
            "soft? Living beings are tired and things are soft, so the same model finds another "
            "noun. Rows with grey names were never asked, and mean nothing."};
    for (const std::string& word : last_words) {
        sentence.back() = word;
        figure.panels.push_back(
            attention_panel("… " + word, model.weights(model.ids_of(sentence)), 0, sentence, sentence));
        figure.panels.back().meant = {sentence.size() - 1};
    }
    return figure;
}

void save_noun_finder(const NounFinder& model, const std::filesystem::path& file,
                      std::map<std::string, std::string> metadata) {
    metadata["words"] = fmt::format("{}", fmt::join(model.words, " "));
    metadata["d_model"] = std::to_string(model.embedding.weight.size(1));
    metadata["heads"] = std::to_string(model.attention.num_heads);
    save_safetensors(file, model.parameters(), metadata, Precision::f16);
}

NounFinder load_noun_finder(const std::filesystem::path& file) {
    const WeightFile loaded = load_weight_file(file);
    const MetadataReader entries(loaded, file, "not the weights of a noun finder");
    const std::size_t d_model = entries.count("d_model", 1, 999'999),
                      heads = entries.count("heads", 1, 999'999);
    Rng none = Rng::zeros();
    NounFinder model(split_words(entries.text("words")), d_model, heads, none);
    copy_tensors_into(model.parameters(), loaded.tensors, file);
    return model;
}

}  // namespace tfs
