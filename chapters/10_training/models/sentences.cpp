// chapters/10_training/models/sentences.cpp · beings and things, and what is said of them; animals, what they do to each other, and why
#include "chapters/10_training/models/sentences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "chapters/07_block/models/it_reader.hpp"

namespace tfs {

namespace {

using Words = std::vector<std::string>;

const std::string& one_of(const Words& words, Rng& rng) { return words[rng.below(words.size())]; }

bool has(const Words& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// As many as `draw` gives.
template <class Draw>
auto drawn(std::size_t count, bool held_out, Rng& rng, const Draw& draw) {
    std::vector<decltype(draw(held_out, rng))> sentences;
    for (std::size_t i = 0; i < count; ++i) sentences.push_back(draw(held_out, rng));
    return sentences;
}

// The words as ids; at one position the target is the noun.
Example asked_at(std::size_t position, const Words& words, std::size_t noun, const Tokenizer& vocabulary) {
    Example example;
    const Ids ids = vocabulary.encode(words);
    example.input.assign(ids.begin(), ids.end());
    example.target.assign(example.input.size(), ignored);
    example.target[position] = example.input[noun];
    return example;
}

NounSentence draw_noun_sentence(bool held_out, Rng& rng) {
    const auto& [beings, things, of_beings, of_things, verbs_of_beings, verbs_of_things, places] =
        noun_words();
    std::size_t being = 0, thing = 0;
    do {
        being = rng.below(beings.size());
        thing = rng.below(things.size());
    } while (((being + 2 * thing) % 5 == 0) != held_out);  // a fifth of the pairs is kept from training
    const bool being_first = rng.below(2) == 0, of_being = rng.below(2) == 0;
    const std::string &first = being_first ? beings[being] : things[thing],
                      &second = being_first ? things[thing] : beings[being];
    NounSentence sentence{
        {"the", first, one_of(being_first ? verbs_of_beings : verbs_of_things, rng), one_of(places, rng),
         "the", second, "because", "it", "was", one_of(of_being ? of_beings : of_things, rng)},
        being_first == of_being ? std::size_t{1} : std::size_t{5}};
    return sentence;
}

const Words animals = {"dog", "cat",  "fox", "wolf",  "bear",  "goat",  "owl",   "hen",
                       "rat", "crow", "pig", "horse", "goose", "mouse", "sheep", "frog"};
const Words strong_act = {"chased", "hunted", "attacked", "caught"};  // who does this is strong
const Words weak_act = {"feared", "avoided", "dreaded", "obeyed"};    // who does this is weak
const Words strong_words = {"hungry", "angry", "strong", "fierce"};
const Words weak_words = {"weak", "small", "slow", "tired"};
// Fillers: before the sentence, before a noun, before "because". An empty one is as likely as any other.
const Words openings = {"", "today", "last night", "late this morning", "one day last winter"};
const Words looks = {"", "grey", "young brown"};
const Words endings = {"", "again", "near here", "in the field", "behind the old house"};

// More than half of the sentences to learn from are of the plainest kind, "the dog chased the cat …": the verb is one of
// strong_act, and active. Without these a model does not find, in a reasonable time, a rule in which verb, voice and last word all
// have to be read together (it is exclusive or, of three). What is held out has all four kinds equally often.
constexpr double share_of_plain = 0.6;

ItSentence draw_it_sentence(bool held_out, Rng& rng) {
    const bool plain = !held_out && rng.uniform() < share_of_plain;
    std::size_t a = 0, b = 0;
    do {
        a = rng.below(animals.size());
        b = rng.below(animals.size());
    } while (a == b || ((a + b) % 5 == 0) != held_out);
    const std::string verb = one_of(plain || rng.below(2) == 0 ? strong_act : weak_act, rng);
    const std::string action = plain || rng.below(2) == 0 ? verb : "was " + verb + " by";
    const std::string word = one_of(rng.below(2) == 0 ? strong_words : weak_words, rng);
    // One after the other: compilers evaluate the arguments of a call in different orders.
    const std::string ending = one_of(endings, rng), second_look = one_of(looks, rng),
                      first_look = one_of(looks, rng), opening = one_of(openings, rng);
    return it_sentence(
        split_words(fmt::format("{} the {} {} {} the {} {} {} because it was {}", opening, first_look,
                                animals[a], action, second_look, animals[b], ending, word)));
}

}  // namespace

NounSentences noun_sentences(std::size_t training, std::size_t held_out, std::uint64_t seed) {
    Rng rng(seed);
    Words vocabulary = {"the", "because", "it", "was"};
    const auto& [beings, things, of_beings, of_things, verbs_of_beings, verbs_of_things, places] =
        noun_words();
    for (const Words& words :
         {beings, things, of_beings, of_things, verbs_of_beings, verbs_of_things, places})
        for (const std::string& word : words)
            if (word != "was") vocabulary.push_back(word);
    return {{Cut::words, vocabulary},
            drawn(training, false, rng, draw_noun_sentence),
            drawn(held_out, true, rng, draw_noun_sentence)};
}

Example example_of(const NounSentence& sentence, const Tokenizer& vocabulary) {
    return asked_at(sentence.words.size() - 1, sentence.words, sentence.noun, vocabulary);
}

Example example_of(const SizeSentence& sentence, const Tokenizer& vocabulary) {
    return asked_at(sentence.words.size() - 1, sentence.words, sentence.asked, vocabulary);
}

ItSentence it_sentence(std::vector<std::string> words) {
    ItSentence sentence;
    std::vector<std::size_t> nouns, verbs;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (has(animals, words[i])) nouns.push_back(i);
        if (has(strong_act, words[i]) || has(weak_act, words[i])) verbs.push_back(i);
        if (words[i] == "it") sentence.it = i;
    }
    const bool is_strong = !words.empty() && has(strong_words, words.back());
    if (nouns.size() != 2 || verbs.size() != 1 || verbs[0] < nouns[0] || verbs[0] > nouns[1] ||
        sentence.it < nouns[1] || !(is_strong || has(weak_words, words.back())))
        throw ValueError(fmt::format("\"{}\" is no sentence about two animals", fmt::join(words, " ")));
    const bool active = words[verbs[0] + 1] != "by";
    const bool it_acts = is_strong == has(strong_act, words[verbs[0]]);
    sentence.first = nouns[0];
    sentence.second = nouns[1];
    sentence.is_first = it_acts == active;
    sentence.words = std::move(words);
    return sentence;
}

ItSentences it_sentences(std::size_t training, std::size_t held_out, std::uint64_t seed) {
    Rng rng(seed);
    Words vocabulary = {"-", "the", "was", "by", "because", "it"};
    for (const Words& words :
         {animals, strong_act, weak_act, strong_words, weak_words, openings, looks, endings})
        for (const std::string& several : words)
            for (const std::string& word : several.empty() ? Words{} : split_words(several))
                if (!has(vocabulary, word)) vocabulary.push_back(word);
    return {{Cut::words, vocabulary, {.padding = it_padding}},
            drawn(training, false, rng, draw_it_sentence),
            drawn(held_out, true, rng, draw_it_sentence)};
}

Example example_of(const ItSentence& sentence, const Tokenizer& vocabulary) {
    return asked_at(sentence.it, sentence.words, sentence.noun(), vocabulary);
}

}  // namespace tfs
