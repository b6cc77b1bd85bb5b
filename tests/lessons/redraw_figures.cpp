// tests/lessons/redraw_figures.cpp · draws figures anew from the numbers beside them: redraw_figures chapters/*/figures/*.json
#include <cstdio>
#include <exception>
#include <filesystem>

#include "common/figures/figure.hpp"
#include "common/io/atomic_file.hpp"

int main(int argc, char** argv) {
    try {
        for (int i = 1; i < argc; ++i) {
            std::filesystem::path file = argv[i];
            const tfs::Figure figure = tfs::figure_from_json(tfs::read_file(file));
            tfs::write_file_atomically(file, tfs::json(figure));
            tfs::write_file_atomically(file.replace_extension("svg"), tfs::svg(figure));
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "redraw_figures: %s\n", error.what());
        return 2;
    }
}
