# Precompiled headers: what nearly every file includes, compiled once. A step then compiles in a third of a second instead of
# one and a half. Every file still includes what it uses: a build with TFS_PRECOMPILE=libraries, as CI makes it with clang,
# proves it of the headers of this project, and tools/check_includes of the libraries'.

# For what prints, parses or tests: compiled faster rather than running faster.
set(TFS_QUICK_TO_COMPILE $<$<CONFIG:Release>:-O1>)

set(TFS_PRECOMPILE ON CACHE STRING "Precompiled headers: ON, OFF, or `libraries`, which leaves out this project's own")
set_property(CACHE TFS_PRECOMPILE PROPERTY STRINGS ON OFF libraries)

# A target whose only product is the precompiled headers. Targets that reuse them must be compiled with the same options.
function(tfs_add_precompiled target link)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${target}.cpp CONTENT "// only carries precompiled headers\n")
    add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/${target}.cpp)
    target_link_libraries(${target} PRIVATE ${link})
    target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()

if(TFS_PRECOMPILE)
    set(layer <fmt/format.h> <algorithm> <cmath> <limits> <string> <vector>)
    if(NOT TFS_PRECOMPILE STREQUAL "libraries")
        list(PREPEND layer ${PROJECT_SOURCE_DIR}/common/nn.hpp ${PROJECT_SOURCE_DIR}/common/tensor.hpp)
    elseif(xtensor_VERSION VERSION_LESS 0.26)
        list(APPEND layer <functional> <memory> <xtensor/xarray.hpp>)
    else()
        list(APPEND layer <functional> <memory> <xtensor/containers/xarray.hpp>)
    endif()
    tfs_add_precompiled(tfs_precompiled tfs_options ${layer})
    tfs_add_precompiled(tfs_precompiled_learners tfs_options ${layer})
    target_compile_definitions(tfs_precompiled_learners PRIVATE _GLIBCXX_ASSERTIONS)
    set_target_properties(tfs_precompiled_learners PROPERTIES EXCLUDE_FROM_ALL ON)
    tfs_add_precompiled(tfs_precompiled_tests "tfs_options;GTest::gtest" ${layer} <gtest/gtest.h>)
endif()

# Lets a target use the headers of the layer, or of the layer and gtest (`tests`), or those for what a learner writes
# (`learners`).
function(tfs_precompile target)
    if(TFS_PRECOMPILE AND "${ARGN}" STREQUAL "tests")
        target_precompile_headers(${target} REUSE_FROM tfs_precompiled_tests)
    elseif(TFS_PRECOMPILE AND "${ARGN}" STREQUAL "learners")
        target_precompile_headers(${target} REUSE_FROM tfs_precompiled_learners)
    elseif(TFS_PRECOMPILE)
        target_precompile_headers(${target} REUSE_FROM tfs_precompiled)
    endif()
endfunction()
