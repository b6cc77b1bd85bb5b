// chapters/04_normalization/program/norm_training.cpp · two attention layers, trained without a norm and with each of three
//
// Run it: ./tutorial run 4 -- --experiment norm-training       (half a minute)
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "chapters/01_attention/attention.hpp"
#include "chapters/02_masks/masks.hpp"
#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

// A text has a favourite word: each of its words is the favourite with a probability of 1/2, else any of the eight. To guess
// the next word one counts the words so far. An id of its own stands in front of the first word, about which nothing is known.
constexpr std::size_t text_words = 8, text_length = 16, begin_id = text_words;
constexpr std::size_t decoder_width = 32, decoder_layers = 2, training_seeds = 3, held_out_texts = 1000;

const CountOption training_steps{"--training-steps", 1000, 1, 100'000, "how many steps each training has"};

Ids favourite_texts(std::size_t texts, Rng& rng) {
    Ids ids = Ids::from_shape({texts, text_length + 1});
    for (std::size_t t = 0; t < texts; ++t) {
        const std::size_t favourite = rng.below(text_words);
        ids(t, 0) = begin_id;
        for (std::size_t i = 1; i <= text_length; ++i)
            ids(t, i) = static_cast<std::int64_t>(rng.below(2) == 0 ? favourite : rng.below(text_words));
    }
    return ids;
}

// The mean of -log(probability of the next word) for who knows how these texts are made: after n occurrences of a word, it
// is the favourite with a probability in proportion to 9^n, since 1/2 + 1/16 is nine times 1/16. Nobody is better.
double best_loss(std::size_t texts) {
    Rng rng(1);
    const Ids ids = favourite_texts(texts, rng);
    double loss = 0.0;
    for (std::size_t t = 0; t < texts; ++t) {
        std::array<double, text_words> favour{};
        favour.fill(1.0);
        for (std::size_t i = 1; i <= text_length; ++i) {
            double& word = favour.at(static_cast<std::size_t>(ids(t, i)));
            const double all = std::accumulate(favour.begin(), favour.end(), 0.0);
            loss -= std::log(0.5 * word / all + 0.5 / static_cast<double>(text_words));
            word *= 9.0;
        }
    }
    return loss / static_cast<double>(texts * text_length);
}

enum class NormChoice { none, layer_norm, rms_norm, batch_norm };
constexpr std::array norm_choices{NormChoice::none, NormChoice::layer_norm, NormChoice::rms_norm,
                                  NormChoice::batch_norm};
constexpr std::array norm_names{"no norm", "LayerNorm", "RMSNorm", "BatchNorm"};  // in this order

struct SmallDecoder {
    struct Layer {
        MultiHeadAttention attention;
        LayerNorm layer_norm{decoder_width};  // `norm` says which of the three is used
        RMSNorm rms_norm{decoder_width};
        BatchNorm batch_norm{decoder_width};

        Tensor normed(NormChoice choice, const Tensor& x, NormMode mode) {
            if (choice == NormChoice::layer_norm) return layer_norm(x);
            if (choice == NormChoice::rms_norm) return rms_norm(x);
            if (choice == NormChoice::batch_norm) return batch_norm(x, mode);
            return x;
        }
    };

    NormChoice norm;
    Embedding embedding;
    Linear readout;
    std::vector<Layer> layers = {};

    SmallDecoder(NormChoice choice, Rng& rng)
        : norm(choice),
          embedding(text_words + 1, decoder_width, rng),
          readout(decoder_width, text_words, rng) {
        for (std::size_t i = 0; i < decoder_layers; ++i)
            layers.push_back({MultiHeadAttention(decoder_width, 1, rng)});
    }

    // ids (texts, seq) -> the probabilities of the next word (texts, seq, words)
    Tensor operator()(const Ids& ids, NormMode mode) {
        Tensor x = embedding(ids);  // (texts, seq, width)
        for (Layer& layer : layers) {
            const Tensor n = layer.normed(norm, x, mode);
            x = x + layer.attention(n, n, n, causal_mask(ids.shape()[1])).output;
        }
        return softmax(readout(x));
    }

    [[nodiscard]] Parameters parameters() const {
        Parameters all = embedding.parameters();
        append(all, "readout", readout.parameters());
        for (const Layer& layer : layers) {
            append(all, "attention", layer.attention.parameters());
            append(all, "layer_norm", layer.layer_norm.parameters());
            append(all, "rms_norm", layer.rms_norm.parameters());
            append(all, "batch_norm", layer.batch_norm.parameters());
        }
        return all;
    }
};

// -log(probability of the next word) for each word but the id in front: (texts, words of a text)
Tensor losses_of(SmallDecoder& decoder, const Ids& texts, NormMode mode) {
    const std::size_t count = texts.shape()[0];
    Ids seen = Ids::from_shape({count, text_length});
    Array next = xt::zeros<float>({count, text_length, text_words});
    for (std::size_t t = 0; t < count; ++t) {
        for (std::size_t i = 0; i < text_length; ++i) {
            seen(t, i) = texts(t, i);
            next(t, i, static_cast<std::size_t>(texts(t, i + 1))) = 1.0f;
        }
    }
    return -log(maximum(sum(decoder(seen, mode) * Tensor(std::move(next)), -1), 1e-9f));
}

// Of all words and of the first word, over the last fifth of the steps; and of new texts, in evaluation.
struct TrainingLosses {
    double training = 0.0, first_word = 0.0, held_out = 0.0;
};

TrainingLosses trained_losses(NormChoice norm, std::size_t texts, std::size_t steps, float rate,
                              std::uint64_t seed) {
    Rng rng(seed);
    SmallDecoder decoder(norm, rng);
    TrainingLosses found;
    const std::size_t counted = std::max<std::size_t>(1, steps / 5);
    for (std::size_t step = 0; step < steps; ++step) {
        const Tensor losses = losses_of(decoder, favourite_texts(texts, rng), NormMode::training);
        gradient_step(mean(losses), decoder.parameters(), rate);
        if (step + counted < steps) continue;
        found.training += mean(losses).item() / static_cast<double>(counted);
        found.first_word += mean(slice(losses, 1, 0, 1)).item() / static_cast<double>(counted);
    }
    const NoGrad no_grad;
    Rng held_out(1'000'000);  // the same texts for all
    found.held_out =
        mean(losses_of(decoder, favourite_texts(held_out_texts, held_out), NormMode::evaluation)).item();
    return found;
}

// A row for each norm: the losses of trainings with so many texts in each step.
Table table_of_losses(const Request& request, std::size_t texts, float rate) {
    Table table{.title = fmt::format("{} {} in a step, rate {}", texts, texts == 1 ? "text" : "texts", rate),
                .columns = {{"norm"}, {"training"}, {"held out"}, {"first word, training"}}};
    for (const NormChoice norm : norm_choices) {
        const char* name = norm_names.at(static_cast<std::size_t>(norm));
        std::array<TrainingLosses, training_seeds> found;
        for (std::size_t i = 0; i < training_seeds; ++i) {
            request.tell(
                {"progress", fmt::format("{} texts, rate {}, {}, seed {}", texts, rate, name, i + 1)});
            found.at(i) = trained_losses(norm, texts, request[training_steps], rate, i + 1);
        }
        const auto range = [&](double TrainingLosses::*loss) {
            const auto [low, high] = std::minmax_element(
                found.begin(), found.end(), [&](const auto& a, const auto& b) { return a.*loss < b.*loss; });
            return fmt::format("{:.2f} to {:.2f}", (*low).*loss, (*high).*loss);
        };
        table.add({name, range(&TrainingLosses::training), range(&TrainingLosses::held_out),
                   range(&TrainingLosses::first_word)});
    }
    return table;
}

Report show_norm_training(const Request& request) {
    Report report;
    report.note(
        fmt::format("Loss: the mean of -log(probability of the next word). The best that a decoder can do: "
                    "{:.2f}; for the first word: log {} = {:.2f}. Three seeds each.",
                    best_loss(20'000), text_words, std::log(static_cast<double>(text_words))));
    report.add(table_of_losses(request, 1, 0.03f));
    report.add(table_of_losses(request, 16, 0.03f));
    report.add(table_of_losses(request, 16, 0.3f));
    return report;
}

}  // namespace

Sections norm_training_sections() {
    return {{"norm-training",
             "Two attention layers, trained with each norm (digits differ between machines)",
             show_norm_training,
             {training_steps},
             Level::experiment,
             Slow::yes}};
}

}  // namespace tfs
