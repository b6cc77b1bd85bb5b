// common/program/options.cpp · the options that the chapters' programs share
#include "common/program/options.hpp"

namespace tfs {

void add_show_options(Program& program, ShowOptions& options) {
    program.option("--plots", options.plots, "folder for the figures; none are drawn without it");
    program.ascii_option(options.ascii);
    program.hidden_option("--whose", options.whose);
    program.hidden_option("--beside", options.beside);
}

}  // namespace tfs
