// chapters/07_block/main.cpp
int main() {}
