// chapters/09_transformer/program/text_ids.cpp · the tokens of a text as ids
#include "chapters/09_transformer/program/text_ids.hpp"

namespace tfs {

TextIds number_tokens(const Tokens& tokens) {
    const Vocabulary vocabulary = build_vocabulary(tokens);
    TextIds text{{"<pad>", "<start>", "<end>"}, vocabulary.ids, tokens};
    for (std::int64_t& id : text.ids) id += static_cast<std::int64_t>(text.words.size());
    text.words.insert(text.words.end(), vocabulary.words.begin(), vocabulary.words.end());
    return text;
}

}  // namespace tfs
