// tools/blas/kernels.cpp · which kernels OpenBLAS took, which better ones this processor could run, and whether these are right
//
//     build/release/bin/blas_kernels          what is known without a product: library, processor, kernels, better ones
//     build/release/bin/blas_kernels --try    multiplies with the kernels that it got: "wrong: …", or how long a product takes
//
// A build of OpenBLAS for many processors chooses its kernels when it is loaded. A processor that is newer than the library it
// may take for an old one. The runner behind ./tutorial therefore tries what is named as better, each in a process of its own:
// kernels that a processor can't run end it. OPENBLAS_CORETYPE names the kernels to load.
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tools/blas/processor.hpp"

// Of OpenBLAS alone, and absent (null) with another BLAS.
extern "C" {
__attribute__((weak)) char* openblas_get_corename(void);
__attribute__((weak)) char* openblas_get_config(void);
__attribute__((weak)) int openblas_get_num_procs(void);
__attribute__((weak)) void openblas_set_num_threads(int);
// As in cblas.h, whose place differs between systems. Row-major is 101, as it is stored 111, transposed 112.
void cblas_sgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                 const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc);
void cblas_sgemv(int order, int transpose, int m, int n, float alpha, const float* a, int lda, const float* x,
                 int incx, float beta, float* y, int incy);
}

namespace {

using tfs::blas::Processor;

constexpr int row_major = 101, as_stored = 111, transposed = 112;

// Whether kernels of this name use less of a processor than AVX2. A name that is not known here is newer.
bool are_old(std::string_view kernels) {
    for (const char* old :
         {"generic", "Unknown",   "Katmai",       "Coppermine",  "Northwood",  "Prescott",
          "Banias",  "Atom",      "Core2",        "Penryn",      "Dunnington", "Nehalem",
          "Athlon",  "Opteron",   "Opteron_SSE3", "Barcelona",   "Nano",       "Sandybridge",
          "Bobcat",  "Bulldozer", "Piledriver",   "Steamroller", "Excavator"})
        if (kernels == old) return true;
    return false;
}

// The names of better kernels than old ones, the one that promises most first.
std::string better_than(std::string_view kernels, const Processor& processor) {
    std::string names;
    if (are_old(kernels) && processor.avx512) names += " SkylakeX";
    if (are_old(kernels) && processor.avx2) names += processor.amd ? " Zen" : " Haswell";
    return names;
}

// The file of the library, its size and its time: another one may have other kernels.
std::string file_of_library() {
    Dl_info found;
    struct stat file;
    void* const function = dlsym(RTLD_DEFAULT, "openblas_get_corename");
    if (function == nullptr || dladdr(function, &found) == 0 || stat(found.dli_fname, &file) != 0) return {};
    return std::string(found.dli_fname) + ", " + std::to_string(file.st_size) + " bytes, " +
           std::to_string(file.st_mtime);
}

void print_facts() {
    if (openblas_get_corename == nullptr || openblas_get_config == nullptr) {
        std::printf("library another BLAS than OpenBLAS\n");
        return;
    }
    const std::string config = openblas_get_config(), kernels = openblas_get_corename();
    const Processor processor = tfs::blas::this_processor();
    const bool chooses = config.find("DYNAMIC_ARCH") != std::string::npos;
    std::printf("library %s\n", config.substr(0, config.find(' ', config.find(' ') + 1)).c_str());
    std::printf("file %s\n", file_of_library().c_str());
    std::printf("processor %s%s%s\n", processor.name.c_str(), processor.avx2 ? ", AVX2" : "",
                processor.avx512 ? ", AVX-512" : "");
    std::printf("kernels %s\n", kernels.c_str());
    std::printf("better%s\n", chooses ? better_than(kernels, processor).c_str() : "");
}

// The same numbers on every machine, between -1 and 1.
std::vector<float> some_numbers(std::size_t count, unsigned seed) {
    std::vector<float> numbers(count);
    for (float& number : numbers) {
        seed = seed * 1664525U + 1013904223U;
        number = static_cast<float>(seed >> 8) / static_cast<float>(1 << 23) - 1.0f;
    }
    return numbers;
}

bool is_near(float value, double expected, int terms) {
    return std::abs(value - expected) <= 1e-6 * (terms + 4);  // false for NaN; each term is below 1
}

// Whether C = 0.5 op(A) op(B) + beta C is what plain loops give, for op(A) (m, k) and op(B) (k, n); with n = 1 also as the product of
// a matrix and a vector. Where beta is 0, nothing of C may be read.
bool is_right(int m, int n, int k, bool transpose_a, bool transpose_b, float beta) {
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const int lda = transpose_a ? m : k, ldb = transpose_b ? k : n;
    const std::vector<float> a = some_numbers(at(m * k), 1), b = some_numbers(at(k * n), 2);
    std::vector<float> y(at(m * n), std::numeric_limits<float>::quiet_NaN());
    const std::vector<float> before = beta == 0.0f ? y : some_numbers(at(m * n), 3);
    std::vector<float> c = before;
    cblas_sgemm(row_major, transpose_a ? transposed : as_stored, transpose_b ? transposed : as_stored, m, n,
                k, 0.5f, a.data(), lda, b.data(), ldb, beta, c.data(), n);
    if (n == 1)
        cblas_sgemv(row_major, transpose_a ? transposed : as_stored, transpose_a ? k : m, transpose_a ? m : k,
                    0.5f, a.data(), lda, b.data(), 1, 0.0f, y.data(), 1);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            double sum = 0.0;
            for (int l = 0; l < k; ++l)
                sum += 0.5 * static_cast<double>(a[at(transpose_a ? l * lda + i : i * lda + l)]) *
                       b[at(transpose_b ? j * ldb + l : l * ldb + j)];
            const std::size_t place = at(i * n + j);
            const double kept = beta == 0.0f ? 0.0 : static_cast<double>(beta) * before[place];
            if (!is_near(c[place], sum + kept, k) || (n == 1 && !is_near(y[place], sum, k))) return false;
        }
    }
    return true;
}

// The first product that comes out wrong, by one thread or by several; empty where all are right.
std::string first_wrong() {
    const int several = std::max(2, openblas_get_num_procs());
    struct Size {
        int m, n, k;
    };
    // Odd ones, also longer than the blocks that kernels work in.
    for (const auto& [m, n, k] : {Size{1, 1, 1},
                                  {7, 5, 3},
                                  {33, 17, 65},
                                  {129, 131, 127},
                                  {35, 19, 700},
                                  {700, 35, 19},
                                  {131, 1, 129}})
        for (const int transposes : {0, 1, 2, 3})
            for (const int threads : {1, several}) {
                openblas_set_num_threads(threads);
                const bool a = (transposes & 1) != 0, b = (transposes & 2) != 0;
                if (!is_right(m, n, k, a, b, 0.0f) || !is_right(m, n, k, a, b, 0.75f))
                    return "a product of " + std::to_string(m) + " x " + std::to_string(k) + " and " +
                           std::to_string(k) + " x " + std::to_string(n);
            }
    return {};
}

// Seconds that a product of 512 x 512 keeps a processor busy, by one thread; the best of eight.
double seconds_of_a_product() {
    constexpr int size = 512;
    const std::vector<float> a = some_numbers(size * size, 1), b = some_numbers(size * size, 2);
    std::vector<float> c(a.size());
    openblas_set_num_threads(1);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 8; ++i) {
        const std::clock_t begin = std::clock();
        cblas_sgemm(row_major, as_stored, as_stored, size, size, size, 1.0f, a.data(), size, b.data(), size,
                    0.0f, c.data(), size);
        best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return best;
}

}  // namespace

int main(int count, char** arguments) {
    print_facts();
    if (count < 2 || std::strcmp(arguments[1], "--try") != 0) return 0;
    rlimit no_core{};
    getrlimit(RLIMIT_CORE, &no_core);
    no_core.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &no_core);
    std::fflush(stdout);
    if (const std::string wrong = first_wrong(); !wrong.empty()) {
        std::printf("wrong %s\n", wrong.c_str());
        return 1;
    }
    std::printf("seconds %.9f\n", seconds_of_a_product());
}
