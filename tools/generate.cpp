// tools/generate.cpp · the main function of tfs_generate
#include "tools/steps/generate.hpp"

int main(int argc, char** argv) { return tfs::steps::generate({argv + 1, argv + argc}); }
