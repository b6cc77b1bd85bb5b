// tests/support/main.cpp · the main function of every checklist; what includes so little is compiled at once
#include "tests/support/checklist.hpp"

int main(int argc, char** argv) { return tfs::test::run_checklist(argc, argv); }
