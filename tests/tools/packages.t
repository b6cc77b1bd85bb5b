tests/tools/packages.t · the script tools/packages: what it names on each system, and what it refuses as too old

  $ . "$TESTDIR/setup"

A system without any of the libraries; its programs are this one's, but for those in the folder bin.

  $ mkdir -p tools cmake bin && cp "$repository/tools/packages" tools && cp "$repository/cmake/fetch_headers.cmake" cmake
  $ unset CXX CMAKE_PREFIX_PATH CONDA_PREFIX
  $ export PATH=$PWD/bin:/usr/bin:/bin TFS_PREFIXES=$PWD/usr TFS_OS_RELEASE=$PWD/os-release TFS_PACKAGE_MANAGER=apt
  $ program() { printf "#!/bin/sh\necho '$2'\n" >bin/$1 && chmod +x bin/$1; }
  $ printf 'ID=debian\nVERSION_ID="12"\n' >os-release

Packages are named as each system names them. What it has none of is fetched.

  $ tools/packages --no-install
  Some packages are not installed.
  Missing: libxtensor-dev libxtensor-blas-dev libopenblas-openmp-dev libgtest-dev libfmt-dev libcli11-dev libutf8proc-dev nlohmann-json3-dev libbenchmark-dev
  apt-get install --no-install-recommends libxtensor-dev libxtensor-blas-dev libopenblas-openmp-dev libgtest-dev libfmt-dev libcli11-dev libutf8proc-dev nlohmann-json3-dev libbenchmark-dev
  [2]
  $ TFS_PACKAGE_MANAGER=dnf tools/packages --no-install
  Some packages are not installed.
  Missing: xtensor-devel openblas-devel gtest-devel fmt-devel cli11-devel utf8proc-devel json-devel google-benchmark-devel xtensor-blas
  dnf install xtensor-devel openblas-devel gtest-devel fmt-devel cli11-devel utf8proc-devel json-devel google-benchmark-devel
  tools/packages --fetch gets the headers of: xtensor-blas
  [2]
  $ TFS_PACKAGE_MANAGER=another tools/packages --no-install
  Some packages are not installed.
  Missing: libopenblas-openmp-dev libgtest-dev libfmt-dev libcli11-dev libutf8proc-dev nlohmann-json3-dev libbenchmark-dev xtensor xtensor-blas
  These are Debian's names; your package manager may have others: libopenblas-openmp-dev libgtest-dev libfmt-dev libcli11-dev libutf8proc-dev nlohmann-json3-dev libbenchmark-dev
  tools/packages --fetch gets the headers of: xtensor xtensor-blas
  [2]
  $ for manager in pacman brew conda; do TFS_PACKAGE_MANAGER=$manager tools/packages --names; done
  xtensor openblas gtest fmt cli11 libutf8proc nlohmann-json benchmark
  libomp xtensor openblas googletest fmt cli11 utf8proc nlohmann-json google-benchmark
  xtensor xtensor-blas openblas gtest fmt cli11 libutf8proc nlohmann_json benchmark

With clang its OpenMP is needed, too. The compiler may be several words, and must be there.

  $ CXX='clang++ -pipe' tools/packages --names
  libomp-dev libxtensor-dev libxtensor-blas-dev libopenblas-openmp-dev libgtest-dev libfmt-dev libcli11-dev libutf8proc-dev nlohmann-json3-dev libbenchmark-dev
  $ CXX='/none/g++ -pipe' tools/packages --no-install
  The variable CXX is "/none/g++ -pipe", and there is no program /none/g++.
  [2]

A system whose packages are too old is refused before anything is installed.

  $ program apt-get 'this must not be called'
  $ printf 'ID=ubuntu\nVERSION_ID="22.04"\nUBUNTU_CODENAME=jammy\n' >os-release
  $ tools/packages
  The packages of this system are too old: g++ 12, CMake 3.25 and xtensor 0.24 come with Debian 12 and Ubuntu 24.04.
  To have all of it: the container of .devcontainer, or conda (docs/getting-started.md says how).
  [2]
  $ printf 'ID=debian\nVERSION_ID="11"\n' >os-release
  $ tools/packages 2>&1 | sed -n 1p
  The packages of this system are too old: g++ 12, CMake 3.25 and xtensor 0.24 come with Debian 12 and Ubuntu 24.04.
  $ rm bin/apt-get; printf 'ID=debian\nVERSION_ID="12"\n' >os-release

So are programs and libraries that are there, and too old.

  $ program cmake 'cmake version 3.22.1'
  $ tools/packages
  CMake is of version 3.22.1; this project needs 3.25 or later.
  To have all of it: the container of .devcontainer, or conda (docs/getting-started.md says how).
  [2]
  $ program cmake 'cmake version 4.0.2'
  $ program g++ 11.4.0
  $ tools/packages --no-install 2>&1 | sed -n 1p
  The compiler g++ is of version 11.4.0; this project needs g++ 12 or clang 14, or later.
  $ program g++ 12.2.0
  $ xtensor() { # xtensor FOLDER MINOR
  >     mkdir -p $1/include/xtensor
  >     printf '#define XTENSOR_VERSION_%s\n' 'MAJOR 0' "MINOR $2" 'PATCH 0' >$1/include/xtensor/xtensor_config.hpp
  > }
  $ xtensor usr 23
  $ tools/packages --no-install 2>&1 | sed -n 1p
  xtensor is of version 0.23.0; this project needs 0.24 or later.
  $ rm bin/* usr/include/xtensor/*

Of several folders the first one with a library counts.

  $ xtensor old 23; xtensor new 27
  $ TFS_PREFIXES=$PWD/old:$PWD/new tools/packages --no-install 2>&1 | sed -n 1p
  xtensor is of version 0.23.0; this project needs 0.24 or later.
  $ TFS_PREFIXES=$PWD/new:$PWD/old tools/packages --no-install 2>&1 | sed -n 1p
  Some packages are not installed.

Headers that are fetched must be the expected files; nobody is there to be asked whether to.

  $ for header in gtest/gtest.h fmt/format.h CLI/CLI.hpp utf8proc.h nlohmann/json.hpp benchmark/benchmark.h
  > do mkdir -p $(dirname usr/include/$header); touch usr/include/$header; done
  $ mkdir -p usr/lib && touch usr/lib/libopenblaso.so
  $ mkdir archives && for name in xtl-0.7.7 xtensor-0.25.0 xtensor-blas-0.21.0; do echo another file >archives/$name.tar.gz; done
  $ export TFS_PACKAGE_MANAGER=another TFS_ARCHIVES=$PWD/archives
  $ tools/packages </dev/null
  Some libraries have no package here.
  Missing: xtensor xtensor-blas
  tools/packages --fetch gets the headers of: xtensor xtensor-blas
  [2]
  $ tools/packages --fetch 2>&1 | sed -n 's/.*\(is another.*expected\).*/\1/p; /could not/p'
  is another file than expected
  The headers could not be fetched.
  $ ls build/headers/include

On each system it is satisfied with what is there.

  $ mkdir -p usr/include/xtensor usr/include/xtensor-blas usr/opt/libomp/lib
  $ touch usr/include/xtensor/xarray.hpp usr/include/xtensor-blas/xlinalg.hpp usr/opt/libomp/lib/libomp.dylib
  $ for manager in apt dnf pacman brew conda another; do TFS_PACKAGE_MANAGER=$manager tools/packages --no-install; done
