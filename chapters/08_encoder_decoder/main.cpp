// chapters/08_encoder_decoder/main.cpp · encoder, decoder and both together on a sentence and its answer
int main() { return 0; }
