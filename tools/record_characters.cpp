// tools/record_characters.cpp · writes the recording of the shipped decoder of characters to a file
#include <cstdio>
#include <exception>

#include "chapters/10_training/models/character_task.hpp"
#include "common/io/weights.hpp"

int main(int argc, char** argv) {
    using namespace tfs;
    try {
        if (argc != 2) throw ValueError("record_characters FILE");
        const auto model = load_network<TextTransformer>(weights_file("characters"), character_kind());
        save_recording(argv[1], recorded(model, read_corpus(shipped_corpus(), model.config.max_len)));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
