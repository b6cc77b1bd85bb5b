tests/tools/folder.t · what a folder, its files and the shell may be like

  $ . "$TESTDIR/setup"

A folder may have spaces in its name, and be moved: then the build is configured anew.

  $ mkdir 'my tutorial' && mv [!m]* 'my tutorial' && cd 'my tutorial'
  $ write double_it 'return 2 * x;'
  $ check 0.1
  configuring
  0.1 double_it                          passed (2 checks)
  $ cd .. && mv 'my tutorial' moved && cd moved
  $ check 0.1
  configuring
  0.1 double_it                          passed (2 checks)

A build that can't be configured is told, and tried again.

  $ cp CMakeLists.txt right && rm -r build
  $ echo 'message(FATAL_ERROR "a tool is missing")' >>CMakeLists.txt
  $ ./tutorial check 0.1 2>&1 | grep -e missing -e tutorial
    a tool is missing
  tutorial: CMake could not configure the build; all it said is in .tutorial/configure.log.
  $ mv right CMakeLists.txt
  $ check 0.1
  configuring
  0.1 double_it                          passed (2 checks)

Files that systems and editors leave are no steps.

  $ for name in ._double_it.cpp .#double_it.cpp .DS_Store double_it.cpp~ 'double_it 2.cpp'
  > do printf '\0\5' | tee "solutions/00_little/$name" "exercises/00_little/$name" >"chapters/$name"; done
  $ mkdir 'chapters/00_little 2'
  $ ./tutorial check
  0.1 double_it                          passed (2 checks)
  0.2 halve_it                           not started
  
  Next: step 0.2 halve_it ●●○ about 10 min: fill in exercises/00_little/halve_it.cpp
        and see how it went: ./tutorial check 0.2 (a hint: ./tutorial hint 0.2)
  [1]

A time in the future would compile all anew at each command: it is taken back.

  $ touch -d '3 hours' exercises/00_little/double_it.cpp CMakeLists.txt
  $ check 0.1
  0.1 double_it                          passed (2 checks)
  $ find . -newermt '1 hour'

A file saved as UTF-16 is named as such. Line ends of other systems, and a byte order mark, are no work of the learner.

  $ printf '\377\376/\0/\0' >exercises/00_little/double_it.cpp
  $ check 0.1
  0.1 double_it                          its file is saved as UTF-16
      save exercises/00_little/double_it.cpp as UTF-8
  [1]
  $ ./tutorial reset 0.1 >reset
  $ sed -i '1s/^/\xef\xbb\xbf/; s/$/\r/' exercises/00_little/double_it.cpp
  $ ./tutorial | sed -n 2p
  00  Little numbers  0 of 2  0.1 double_it: not started

What the shell has set for tests, threads and memory of other programs changes nothing; fewer threads are no harm.

  $ write double_it 'for (char** entry = environ; x == 0 && *entry; ++entry) { if (strchr("GMOTX", **entry)) puts(*entry); } return 2 * x;' $'#include <stdio.h>\n#include <string.h>\n#include <unistd.h>'
  $ export GTEST_FILTER=nothing GTESTS=stays TESTBRIDGE_TEST_ONLY=x XML_OUTPUT_FILE=x OMP_STACKSIZE=6G OMP_THREAD_LIMIT=1 OMP_DYNAMIC=true MALLOC_TOP_PAD_=6442450944 GLIBC_TUNABLES=glibc.malloc.top_pad=6442450944
  $ check 0.1 | grep -e passed -e GTEST -e TEST_ -e XML -e OMP -e MALLOC -e GLIBC
  0.1 double_it                          passed (2 checks)
        GTESTS=stays
        OMP_NUM_THREADS=1
  $ OMP_NUM_THREADS=5000 check 0.1 | grep OMP
  [1]

The stack has its usual size, whatever the shell says.

  $ write double_it 'rlimit stack{}; getrlimit(RLIMIT_STACK, &stack); return stack.rlim_cur == 8 << 20 ? 2 * x : 0;' '#include <sys/resource.h>'
  $ (ulimit -S -s 1000; check 0.1)
  0.1 double_it                          passed (2 checks)
  $ (ulimit -S -s 100000; check 0.1)
  0.1 double_it                          passed (2 checks)
