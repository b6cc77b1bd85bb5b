tests/tools/contract.t · ./tutorial check of a file that was written for an earlier version

  $ . "$TESTDIR/setup"

A function of the step that is not in its file is shown with its task.

  $ echo 'int helper(); int unused() { return helper(); }' >exercises/00_little/double_it.cpp
  $ check 0.1
  configuring
  0.1 double_it                          double_it is missing
      This step needs it, and exercises/00_little/double_it.cpp does not define it. Add this, and fill it in:
        int double_it(int x) {
            // TODO 0.1: Twice x.
            // Without a loop.
            throw NotImplemented("0.1 double_it");
        }
      this is declared, but not defined: helper()
  [1]

One with other parameters is shown beside that of the contract, without the errors that follow from it.

  $ cat >exercises/00_little/double_it.cpp <<end
  > #include "chapters/00_little/little.hpp"
  > int double_it(int x, int times = 2) { return times * x; }
  > int more() { return double_it(1); }
  > end
  $ check 0.1
  0.1 double_it                          the contract of double_it has other parameters
      double_it in the contract:
        int double_it(int x)
      in exercises/00_little/double_it.cpp:
        int double_it(int x, int times = 2)
      ./tutorial update puts what you wrote under the lines of this version, and keeps a copy.
      Or change these lines yourself.
  [1]

What was replaced in a contract is told where a line that does not compile has the old name.

  $ echo '* | twice | twice | twice is doubled now' >solutions/earlier_contracts.txt
  $ write double_it 'return twice(x);'
  $ check 0.1 | sed -n 1,2p
  0.1 double_it                          the contract of double_it changed: twice is doubled now
      exercises/00_little/double_it.cpp:4:12: error: *'twice'* (glob)
  $ write double_it 'return y;  // twice'
  $ check 0.1 | sed -n 1p
  0.1 double_it                          DOES NOT COMPILE

Given lines that do not compile any more are shown as they are now.

  $ echo 'int one() { return 1; }' >>solutions/00_little/double_it.cpp
  $ write double_it 'return 2 * x;' 'int one() { return old_one(); }'
  $ check 0.1 | sed -n 1,3p
  0.1 double_it                          the given lines of one are others in this version
      These given lines are others in this version:
        int one() { return 1; }
