# Compiles through ccache where it is installed: what was compiled before, also in a build folder that is gone, is copied.
# Nothing needs it. -DTFS_CCACHE=OFF does without.

option(TFS_CCACHE "Compile through ccache where it is installed" ON)
if(TFS_CCACHE_PROGRAM AND NOT EXISTS ${TFS_CCACHE_PROGRAM})  # it was installed once
    unset(TFS_CCACHE_PROGRAM CACHE)
endif()
find_program(TFS_CCACHE_PROGRAM ccache)
if(NOT TFS_CCACHE OR NOT TFS_CCACHE_PROGRAM OR TFS_PARSE_ONLY OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
endif()

# If it is removed later, the next build configures anew.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${TFS_CCACHE_PROGRAM})

# Precompiled headers are compared by what is in them, which ccache does only under these settings and options. Comments count:
# g++ does not know a header again whose comments are others than in the precompiled one, and reads it twice.
set(settings CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_COMMENTS=1
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()
# -march=native is another option on each processor, and a cache may come from another machine. What was kept when comments did
# not count has another name.
set(macros "")
if(TFS_NATIVE)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null OUTPUT_VARIABLE macros)
endif()
string(MD5 name "comments ${macros}")
list(APPEND settings CCACHE_NAMESPACE=${name})
set(CMAKE_CXX_COMPILER_LAUNCHER env ${settings} ${TFS_CCACHE_PROGRAM})
