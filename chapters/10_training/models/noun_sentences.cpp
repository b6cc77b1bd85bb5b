// chapters/10_training/models/noun_sentences.cpp · beings and things, and what is said of them
#include "chapters/10_training/models/noun_sentences.hpp"

#include <algorithm>

namespace tfs {

namespace {

using Words = std::vector<std::string>;

const Words beings = {"cat",    "dog", "bird", "child",  "horse", "woman",
                      "rabbit", "fox", "girl", "farmer", "mouse", "boy"};
const Words things = {"mat",  "box",   "chair",  "rug",     "bed",     "table",
                      "sofa", "bench", "basket", "blanket", "cushion", "shelf"};
const Words being_words = {"tired", "hungry", "sleepy", "happy", "angry", "afraid", "curious", "lonely"};
const Words thing_words = {"soft", "clean", "wooden", "broken", "dirty", "flat", "new", "empty"};
const Words being_verbs = {"sat", "slept", "rested", "waited", "stayed", "jumped"};
const Words thing_verbs = {"lay", "stood", "was", "remained"};
const Words places = {"on", "near", "beside", "under", "behind"};

const std::string& one_of(const Words& words, Rng& rng) { return words[rng.below(words.size())]; }

// A fifth of the pairs of nouns is kept from training.
bool is_held_out(std::size_t being, std::size_t thing) { return (being + 2 * thing) % 5 == 0; }

NounSentence draw(bool held_out, Rng& rng) {
    std::size_t being = 0, thing = 0;
    do {
        being = rng.below(beings.size());
        thing = rng.below(things.size());
    } while (is_held_out(being, thing) != held_out);
    const bool being_first = rng.below(2) == 0, of_being = rng.below(2) == 0;
    const std::string &first = being_first ? beings[being] : things[thing],
                      &second = being_first ? things[thing] : beings[being];
    NounSentence sentence{
        {"the", first, one_of(being_first ? being_verbs : thing_verbs, rng), one_of(places, rng), "the",
         second, "because", "it", "was", one_of(of_being ? being_words : thing_words, rng)},
        being_first == of_being ? std::size_t{1} : std::size_t{5}};
    return sentence;
}

std::vector<NounSentence> draw(std::size_t count, bool held_out, Rng& rng) {
    std::vector<NounSentence> sentences;
    for (std::size_t i = 0; i < count; ++i) sentences.push_back(draw(held_out, rng));
    return sentences;
}

}  // namespace

NounSentences noun_sentences(std::size_t training, std::size_t held_out, std::uint64_t seed) {
    Rng rng(seed);
    Words vocabulary = {"the", "because", "it", "was"};
    for (const Words& words : {beings, things, being_words, thing_words, being_verbs, thing_verbs, places})
        for (const std::string& word : words)
            if (word != "was") vocabulary.push_back(word);
    return {{Cut::words, vocabulary}, draw(training, false, rng), draw(held_out, true, rng)};
}

Example example_of(const NounSentence& sentence, const Tokenizer& vocabulary) {
    Example example;
    const Ids ids = vocabulary.encode(sentence.words);
    example.input.assign(ids.begin(), ids.end());
    example.target.assign(example.input.size(), ignored);
    example.target.back() = example.input[sentence.noun];
    return example;
}

}  // namespace tfs
