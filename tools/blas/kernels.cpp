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

// op(A) (m, k) times op(B) (k, n). Rows are stored longer than they are.
struct Product {
    int m, n, k;
    bool transpose_a, transpose_b;

    int lda() const { return (transpose_a ? m : k) + 3; }
    int ldb() const { return (transpose_b ? k : n) + 1; }
    int ldc() const { return n + 2; }
    std::size_t size_a() const { return static_cast<std::size_t>((transpose_a ? k : m) * lda()); }
    std::size_t size_b() const { return static_cast<std::size_t>((transpose_b ? n : k) * ldb()); }
    std::size_t size_c() const { return static_cast<std::size_t>(m * ldc()); }
    float a(const std::vector<float>& values, int i, int l) const {
        return values[static_cast<std::size_t>(transpose_a ? l * lda() + i : i * lda() + l)];
    }
    float b(const std::vector<float>& values, int l, int j) const {
        return values[static_cast<std::size_t>(transpose_b ? j * ldb() + l : l * ldb() + j)];
    }
};

bool is_near(float value, double expected, int terms) {
    return std::abs(value - expected) <= 1e-6 * (terms + 4);  // false for NaN; each term is below 1
}

// Whether C = 0.5 op(A) op(B) + beta C is what plain loops give. Where beta is 0, nothing of C may be read.
bool is_right(const Product& p, float beta, const std::vector<float>& a, const std::vector<float>& b,
              const std::vector<double>& sums) {
    std::vector<float> before = some_numbers(p.size_c(), 3);
    if (beta == 0.0f) std::fill(before.begin(), before.end(), std::numeric_limits<float>::quiet_NaN());
    std::vector<float> c = before;
    cblas_sgemm(row_major, p.transpose_a ? transposed : as_stored, p.transpose_b ? transposed : as_stored,
                p.m, p.n, p.k, 0.5f, a.data(), p.lda(), b.data(), p.ldb(), beta, c.data(), p.ldc());
    for (int i = 0; i < p.m; ++i) {
        for (int j = 0; j < p.n; ++j) {
            const auto at = static_cast<std::size_t>(i * p.ldc() + j);
            const double kept = beta == 0.0f ? 0.0 : static_cast<double>(beta) * before[at];
            if (!is_near(c[at], 0.5 * sums[static_cast<std::size_t>(i * p.n + j)] + kept, p.k)) return false;
        }
    }
    return true;
}

// The same for y = 0.5 op(A) x.
bool is_right_for_a_vector(int m, int n, bool transpose) {
    const std::vector<float> a = some_numbers(static_cast<std::size_t>(m * n), 1),
                             x = some_numbers(static_cast<std::size_t>(transpose ? m : n), 2);
    std::vector<float> y(static_cast<std::size_t>(transpose ? n : m),
                         std::numeric_limits<float>::quiet_NaN());
    cblas_sgemv(row_major, transpose ? transposed : as_stored, m, n, 0.5f, a.data(), n, x.data(), 1, 0.0f,
                y.data(), 1);
    for (std::size_t i = 0; i < y.size(); ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < x.size(); ++j)
            sum += static_cast<double>(a[transpose ? j * y.size() + i : i * x.size() + j]) * x[j];
        if (!is_near(y[i], 0.5 * sum, static_cast<int>(x.size()))) return false;
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
    for (const Size size :
         {Size{1, 1, 1}, {7, 5, 3}, {33, 17, 65}, {129, 131, 127}, {35, 19, 700}, {700, 35, 19}}) {
        for (const int transposes : {0, 1, 2, 3}) {
            const Product p{size.m, size.n, size.k, (transposes & 1) != 0, (transposes & 2) != 0};
            const std::vector<float> a = some_numbers(p.size_a(), 1), b = some_numbers(p.size_b(), 2);
            std::vector<double> sums(static_cast<std::size_t>(p.m * p.n));
            for (int i = 0; i < p.m; ++i)
                for (int j = 0; j < p.n; ++j)
                    for (int l = 0; l < p.k; ++l)
                        sums[static_cast<std::size_t>(i * p.n + j)] +=
                            static_cast<double>(p.a(a, i, l)) * p.b(b, l, j);
            for (const int threads : {1, several}) {
                openblas_set_num_threads(threads);
                bool right = is_right(p, 0.0f, a, b, sums) && is_right(p, 0.75f, a, b, sums);
                right = right && is_right_for_a_vector(p.m, p.n, p.transpose_a);
                if (!right)
                    return "a product of " + std::to_string(p.m) + " x " + std::to_string(p.k) + " and " +
                           std::to_string(p.k) + " x " + std::to_string(p.n);
            }
        }
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
