# The version of the tutorial, for CMake and ./tutorial --version; CHANGELOG.md says what is in it.
set(TFS_VERSION 0.12.0)
