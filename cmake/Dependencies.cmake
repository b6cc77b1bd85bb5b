# Finds the libraries and collects them, with the compile options, in the target tfs_options.

# xtensor and xtensor-blas: the system's, or the headers that tools/packages fetched where it has none.
set(TFS_HEADERS ${CMAKE_CURRENT_LIST_DIR}/../build/headers/include CACHE PATH "Where fetched headers are")
# Headers are all that they are: their own CMake files would look for BLAS, LAPACK and threads, which takes as long as all else here.
find_path(TFS_XTENSOR xtensor/xtensor_config.hpp PATHS ${TFS_HEADERS} REQUIRED DOC "xtensor")
find_path(TFS_XTENSOR_BLAS xtensor-blas/xlinalg.hpp PATHS ${TFS_HEADERS} REQUIRED DOC "xtensor-blas")
file(STRINGS ${TFS_XTENSOR}/xtensor/xtensor_config.hpp parts REGEX "define XTENSOR_VERSION_(MAJOR|MINOR|PATCH) [0-9]+")
string(REGEX MATCHALL "[0-9]+" parts "${parts}")
string(JOIN . xtensor_VERSION ${parts})
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
if(APPLE AND NOT OpenMP_ROOT AND NOT DEFINED ENV{OpenMP_ROOT})  # AppleClang has none of its own
    foreach(folder /opt/homebrew/opt/libomp /usr/local/opt/libomp)
        if(EXISTS ${folder})
            set(OpenMP_ROOT ${folder})
        endif()
    endforeach()
endif()
find_package(OpenMP REQUIRED COMPONENTS CXX)
if(PROJECT_IS_TOP_LEVEL)
    find_package(CLI11 REQUIRED)
    find_package(GTest REQUIRED)
endif()  # a project that adds this one has no programs, and so no command lines

# OpenBLAS: the OpenMP build shares its threads with our own loops. Debian keeps each build in a folder of its own.
# Fedora's libopenblas is the serial one, its libopenblaso the one with OpenMP. Homebrew links none into its lib folder.
find_library(OPENBLAS_LIBRARY NAMES openblaso openblas PATH_SUFFIXES openblas-openmp HINTS /opt/homebrew/opt/openblas/lib
    /usr/local/opt/openblas/lib REQUIRED
    DOC "OpenBLAS, best its OpenMP build")

add_library(tfs_options INTERFACE)
target_compile_features(tfs_options INTERFACE cxx_std_20)
target_include_directories(tfs_options INTERFACE ${PROJECT_SOURCE_DIR})
target_include_directories(tfs_options SYSTEM INTERFACE ${TFS_XTENSOR} ${TFS_XTENSOR_BLAS})
target_link_libraries(tfs_options INTERFACE fmt::fmt OpenMP::OpenMP_CXX ${OPENBLAS_LIBRARY})

# Safe without errno and floating-point traps; -ffast-math would break infinities and NaN.
target_compile_options(tfs_options INTERFACE -fno-math-errno -fno-trapping-math)
# Warnings take a tenth of the time that compiling takes. A learner's files have them, ours where they are errors.
set(warned $<OR:$<BOOL:${TFS_WERROR}>,$<BOOL:$<TARGET_PROPERTY:TFS_LEARNERS>>>)
# -Wpedantic changes what g++ defines (so does -Wvla): it is for all files or for none. Else a learner's file, which alone has it,
# is compiled without the precompiled headers.
target_compile_options(tfs_options INTERFACE $<${warned}:-Wall> $<${warned}:-Wextra> $<$<BOOL:${TFS_WERROR}>:-Wpedantic>
    $<${warned}:-Wconversion> $<$<AND:${warned},$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>>:-Wshadow>)
# An object may become a part of a program or of a shared library, and all share the precompiled headers, which g++ takes
# only under the same flag. -fno-semantic-interposition lets functions be inlined all the same.
target_compile_options(tfs_options INTERFACE -fPIC -fno-semantic-interposition)
# A stub or a mistake need not use all its parameters. After -Wextra: clang reads the flags in order.
target_compile_options(tfs_options INTERFACE $<$<BOOL:$<TARGET_PROPERTY:TFS_STEP_TO_DO>>:-Wno-unused-parameter>)
if(TFS_NATIVE)
    target_compile_options(tfs_options INTERFACE -march=native)
endif()
if(TFS_WERROR)
    # Not for what a learner writes (the properties are set in Chapter.cmake). tools/each_file parses the untouched stubs.
    target_compile_options(tfs_options INTERFACE
        $<$<OR:$<BOOL:${TFS_PARSE_ONLY}>,$<NOT:$<BOOL:$<TARGET_PROPERTY:TFS_LEARNERS>>>>:-Werror>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # To collect garbage takes another tenth, and 200 MB less.
    target_compile_options(tfs_options INTERFACE --param=ggc-min-heapsize=1000000)
    # xtensor's headers set these off after inlining.
    target_compile_options(tfs_options INTERFACE -Wno-array-bounds -Wno-maybe-uninitialized -Wno-stringop-overflow
        -Wno-stringop-overread)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Clang does not vectorise the maximum of floats (softmax's first pass) and warns; that loop is then only slower.
    target_compile_options(tfs_options INTERFACE -Wno-pass-failed)
endif()

# xtensor before 0.26 tests for C++17 exactly when it decides whether a template is a container; under the newer rule for
# template template parameters its reducers then fail with bad_array_new_length.
if(xtensor_VERSION VERSION_LESS 0.26)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(tfs_options INTERFACE -fno-new-ttp-matching)
    elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
        target_compile_options(tfs_options INTERFACE -fno-relaxed-template-template-args)
    endif()
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_definitions(tfs_options INTERFACE XTENSOR_ENABLE_ASSERT)
endif()
if(TFS_SANITIZE)
    # Line numbers are all that a report needs.
    target_compile_options(tfs_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
        -fno-omit-frame-pointer -g1)
    target_link_options(tfs_options INTERFACE -fsanitize=address,undefined)
endif()
if(TFS_FUZZ)
    target_compile_options(tfs_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The programs of the tests are many, and most of what it takes to make one is linking. Neither linker is needed.
find_program(TFS_MOLD mold)
find_program(TFS_LLD ld.lld)
if(TFS_MOLD)
    target_link_options(tfs_options INTERFACE -fuse-ld=mold)
elseif(TFS_LLD)
    target_link_options(tfs_options INTERFACE -fuse-ld=lld)
endif()
