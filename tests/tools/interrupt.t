tests/tools/interrupt.t · Ctrl-C, other ends before the end, and two commands at once

  $ . "$TESTDIR/setup"

While CMake configures: nothing half done is left.

  $ write double_it 'return 2 * x;'
  $ cp CMakeLists.txt right
  $ printf 'file(TOUCH ${PROJECT_SOURCE_DIR}/begun)\nexecute_process(COMMAND sleep 1000)\n' >>CMakeLists.txt
  $ ./tutorial check 0.1 >said 2>&1 &
  $ await test -e begun
  $ kill -INT $!; wait $!
  [130]
  $ cat said
  configuring
  Interrupted.
  $ await quiet
  $ mv right CMakeLists.txt
  $ check 0.1
  configuring
  0.1 double_it                          passed (2 checks)

While something is compiled: here it reads from a pipe that has no end as long as descriptor 3 is open.

  $ mkfifo pipe
  $ write double_it 'return x;' '#include "pipe"'
  $ ./tutorial check 0.1 >said 2>&1 &
  $ exec 3>pipe
  $ kill -INT $!; wait $!
  [130]
  $ cat said
  Interrupted.
  $ await quiet
  $ exec 3>&-

While a step is checked. It counts as not checked.

  $ write double_it 'fclose(fopen("begun", "w")); while (true) pause();' $'#include <stdio.h>\n#include <unistd.h>'
  $ rm begun
  $ ./tutorial check 0.1 >said 2>&1 &
  $ await test -e begun
  $ kill -TERM $!; wait $!
  [143]
  $ cat said
  Interrupted.
  $ await quiet
  $ ./tutorial | sed -n 2p
  00  Little numbers  0 of 2  0.1 double_it: not checked yet

No endless loop outlives a runner that was killed.

  $ rm begun
  $ ./tutorial check 0.1 &
  $ await test -e begun
  $ kill -KILL $!; wait $! 2>/dev/null
  [137]
  $ await quiet

A check waits for the build of another one.

  $ write double_it 'return x;' '#include "pipe"'
  $ write halve_it 'return x / 2;'
  $ : >said; ./tutorial check 0.1 >first 2>&1 & first=$!
  $ exec 3>pipe
  $ ./tutorial check 0.2 >>said 2>&1 & second=$!
  $ hear 'waiting for another build'
  waiting for another build
  $ kill -INT $first; wait $first
  [130]
  $ wait $second
  $ sed -n 1p said
  0.2 halve_it                           passed (2 checks)
  $ exec 3>&-

Two at the same time remember both results, also where each of them would have to configure the build.

  $ write double_it 'return 2 * x;'
  $ rm -r build .tutorial
  $ ./tutorial check 0.1 >first 2>&1 & first=$!
  $ check 0.2 2>second
  0.2 halve_it                           passed (2 checks)
  $ wait $first
  $ ./tutorial | sed -n 2p
  00  Little numbers  2 of 2  done
