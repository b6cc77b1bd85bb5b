# Precompiled headers: what nearly every file includes, compiled once, in two ways.
#
#   optimised   the layers, the solutions, the benchmarks: what must run fast
#   quick       programs, tests, most mistakes, and the learner's step in a check: compiled in half of the time, and with
#               the assertions of the standard library, by which an index outside its vector is a sentence
#
# Every file still includes what it uses: tools/each_file, whose build has TFS_PRECOMPILE=libraries, proves it of the headers
# of this project, and tools/check_includes of those libraries that a step may need.

set(TFS_QUICK_OPTIONS $<$<CONFIG:Release>:-O0>)
set(TFS_QUICK_DEFINITIONS _GLIBCXX_ASSERTIONS)
set(TFS_FAST_OPTIONS "")
if(TFS_SANITIZE)
    # Tests spend their time in the layers and the solutions: with these a little optimised, they run in a third of the time,
    # and it takes a tenth longer to compile them all.
    set(TFS_QUICK_OPTIONS -O0)
    set(TFS_FAST_OPTIONS -O1)
endif()

set(TFS_PRECOMPILE ON CACHE STRING "Precompiled headers: ON, OFF, or `libraries`, which leaves out this project's own")
set_property(CACHE TFS_PRECOMPILE PROPERTY STRINGS ON OFF libraries)

# A target whose only product is the precompiled headers. Targets that reuse them must be compiled with the same options.
function(tfs_add_precompiled target link)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${target}.cpp CONTENT "// only carries precompiled headers\n")
    add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/${target}.cpp)
    target_link_libraries(${target} PRIVATE ${link})
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_target_properties(${target} PROPERTIES TFS_CARRIES_HEADERS ON)
endfunction()

if(TFS_PRECOMPILE)
    # Not <common/program.hpp>, and nothing with std::variant: what a header leaves to be instantiated, g++ instantiates anew in
    # each file, used or not. It would take 0.3 s more, half of what a learner's file takes.
    set(layer <fmt/format.h> <algorithm> <cmath> <functional> <limits> <map> <optional> <string> <vector>)
    if(NOT TFS_PRECOMPILE STREQUAL "libraries")
        # <filesystem>, of which contracts have paths, takes longer than a whole contract. Contracts themselves are parsed in
        # 0.01 to 0.02 s: precompiled headers of their own would not pay.
        list(PREPEND layer <common/nn.hpp> <common/tensor.hpp> <filesystem>)
    else()
        list(APPEND layer <fmt/ranges.h> <nlohmann/json.hpp> <filesystem> <fstream> <iostream> <memory> <random> <set> <span>
            <sstream> <variant>)
        set(containers $<$<VERSION_GREATER_EQUAL:${xtensor_VERSION},0.26>:containers/>)
        list(APPEND layer "<xtensor/${containers}xarray.hpp>")
    endif()
    tfs_add_precompiled(tfs_precompiled tfs_options ${layer})
    target_compile_options(tfs_precompiled PRIVATE ${TFS_FAST_OPTIONS})
    # Without gtest: with it, g++ takes 0.5 s to load them instead of 0.2 s, and few files are tests. Clang loads only what
    # a file uses.
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND PROJECT_IS_TOP_LEVEL)
        list(APPEND layer <gtest/gtest.h>)
        list(APPEND TFS_QUICK_OPTIONS $<TARGET_PROPERTY:GTest::gtest,INTERFACE_COMPILE_OPTIONS>)
    endif()
    tfs_add_precompiled(tfs_precompiled_quick tfs_options ${layer})
    target_compile_options(tfs_precompiled_quick PRIVATE ${TFS_QUICK_OPTIONS})
    target_compile_definitions(tfs_precompiled_quick PRIVATE ${TFS_QUICK_DEFINITIONS})
endif()

# Lets a target use the headers that are optimised, or those of what is compiled quickly (`quick`), with their options.
function(tfs_precompile target)
    set(from tfs_precompiled)
    if("${ARGN}" STREQUAL "quick" AND PROJECT_IS_TOP_LEVEL)  # else there are few such files
        set(from tfs_precompiled_quick)
        target_compile_options(${target} PRIVATE ${TFS_QUICK_OPTIONS})
        target_compile_definitions(${target} PRIVATE ${TFS_QUICK_DEFINITIONS})
    else()
        target_compile_options(${target} PRIVATE ${TFS_FAST_OPTIONS})
    endif()
    if(TFS_PRECOMPILE)
        target_precompile_headers(${target} REUSE_FROM ${from})
    endif()
endfunction()

# A shared library: linking the many executables of the tests then takes a quarter of the time. Its functions call each
# other directly, as in a static one; so its optimised templates are never replaced by those that a program was quickly
# compiled with. A function of a library that it is not linked with is an error of the linker.
function(tfs_shared_library target)
    add_library(${target} SHARED ${ARGN})
    if(APPLE)  # where a library is linked like this anyway
        return()
    endif()
    target_link_options(${target} PRIVATE LINKER:-Bsymbolic-functions)
    if(NOT TFS_SANITIZE)  # whose functions come with the program
        target_link_options(${target} PRIVATE LINKER:--no-undefined)
    endif()
endfunction()

# Files of a target that are always built together are compiled in groups of `batch`, 0 for all in one: most of the time goes into
# templates that each of them would need. Names in their unnamed namespaces must differ. tools/each_file goes without, and
# has -Wshadow, which would speak of the neighbours here.
function(tfs_unity target batch)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${TFS_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()
