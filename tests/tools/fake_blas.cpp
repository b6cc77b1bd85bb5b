// tests/tools/fake_blas.cpp · an OpenBLAS and a processor that are what a test says, for tools/blas/kernels.cpp
//
//     FAKE_CONFIG       what the library says of itself
//     FAKE_PROCESSOR    words: amd avx2 avx512
//     FAKE_KERNELS      words such as Zen=wrong: what these kernels do (crash, wrong, absent, slow, threads: wrong by several)
//     FAKE_LOG          a file that gets a line for each process that multiplies
//
// Without OPENBLAS_CORETYPE the library takes Prescott, which is slow.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <string>

#include "tools/blas/processor.hpp"

namespace {

std::string variable(const char* name, const char* otherwise = "") {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

bool has_word(const std::string& text, const std::string& word) {
    std::istringstream words(text);
    for (std::string one; words >> one;)
        if (one == word) return true;
    return false;
}

// Whether the kernels that were asked for do this.
bool kernels_do(const std::string& what) {
    return has_word(variable("FAKE_KERNELS"), variable("OPENBLAS_CORETYPE", "Prescott") + "=" + what);
}

int threads = 1;

void begin() {
    static const bool first = [] {
        if (FILE* log = std::fopen(variable("FAKE_LOG", "/dev/null").c_str(), "a")) {
            std::fprintf(log, "%s\n", variable("OPENBLAS_CORETYPE", "none").c_str());
            std::fclose(log);
        }
        return true;
    }();
    (void)first;
    if (kernels_do("crash")) std::raise(SIGILL);
}

float wrong() { return kernels_do("wrong") || (kernels_do("threads") && threads > 1) ? 0.01f : 0.0f; }

}  // namespace

extern "C" {

char* openblas_get_config() {
    static std::string text = variable("FAKE_CONFIG", "OpenBLAS 0.0.1 DYNAMIC_ARCH");
    return text.data();
}

char* openblas_get_corename() {
    static std::string name = kernels_do("absent") ? "Prescott" : variable("OPENBLAS_CORETYPE", "Prescott");
    return name.data();
}

int openblas_get_num_procs() { return 2; }

void openblas_set_num_threads(int count) { threads = count; }

void cblas_sgemm(int, int transpose_a, int transpose_b, int m, int n, int k, float alpha, const float* a,
                 int lda, const float* b, int ldb, float beta, float* c, int ldc) {
    begin();
    if (m == 512) {  // the one that is timed
        const bool is_slow = kernels_do("slow") || variable("OPENBLAS_CORETYPE", "Prescott") == "Prescott";
        const std::clock_t begin = std::clock();
        while (std::clock() - begin < (is_slow ? 10 : 1) * CLOCKS_PER_SEC / 1000) {
        }
        return;
    }
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            float sum = wrong();
            for (int l = 0; l < k; ++l)
                sum += a[transpose_a == 112 ? l * lda + i : i * lda + l] *
                       b[transpose_b == 112 ? j * ldb + l : l * ldb + j];
            float& result = c[i * ldc + j];
            result = alpha * sum + (beta == 0.0f ? 0.0f : beta * result);
        }
    }
}

void cblas_sgemv(int, int transpose, int m, int n, float alpha, const float* a, int lda, const float* x, int,
                 float, float* y, int) {
    const int rows = transpose == 112 ? n : m, terms = transpose == 112 ? m : n;
    for (int i = 0; i < rows; ++i) {
        float sum = 0.0f;
        for (int j = 0; j < terms; ++j) sum += a[transpose == 112 ? j * lda + i : i * lda + j] * x[j];
        y[i] = alpha * sum;
    }
}
}

namespace tfs::blas {

Processor this_processor() {
    const std::string words = variable("FAKE_PROCESSOR");
    return {"of a test", has_word(words, "amd"), has_word(words, "avx2"), has_word(words, "avx512")};
}

}  // namespace tfs::blas
