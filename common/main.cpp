// common/main.cpp · the main function of every chapter's program
#include "common/program/chapter.hpp"

int main(int argc, char** argv) { return tfs::run_program(argc, argv, tfs::chapter()); }
