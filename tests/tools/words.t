tests/tools/words.t · how commands, steps and chapters are named, and what is said of a word that is not known

  $ . "$TESTDIR/setup"

A step has a number, a name and a file; a chapter a number, a name and folders. A path may be one from where the command is typed.

  $ for word in 0.1 00.1 double_it double_it.cpp 00_little/double_it exercises/00_little/double_it.cpp "$PWD/exercises/00_little/double_it.cpp"
  > do check $word; done | uniq -c
        7 0.1 double_it                          not started
  $ for word in 0 00_little little chapters/00_little/ exercises/00_little
  > do check $word; done | sort | uniq -c
        5 0.1 double_it                          not started
        5 0.2 halve_it                           not started
  $ (cd exercises/00_little && ../../tutorial check ../00_little/halve_it.cpp | sed -n 1p; ../../tutorial check . | sed -n 1,2p)
  0.2 halve_it                           not started
  0.1 double_it                          not started
  0.2 halve_it                           not started

A path may lead over a link.

  $ ln -s "$PWD/exercises" ../mine
  $ (cd .. && words.t/tutorial check mine/00_little/double_it.cpp | sed -n 1p)
  0.1 double_it                          not started

Steps come in their order, and once. Flags may stand anywhere.

  $ check 0.2 --no-install 0.1 double_it
  0.1 double_it                          not started
  0.2 halve_it                           not started
  [1]

The nearest command, step, chapter or flag is proposed where there is one.

  $ ./tutorial chekc
  tutorial: there is no command "chekc"; ./tutorial --help lists them. Did you mean check?
  [2]
  $ ./tutorial nonsense 0.1
  tutorial: there is no command "nonsense"; ./tutorial --help lists them.
  [2]
  $ ./tutorial check dubble_it
  tutorial: there is no step "dubble_it"; a step is a chapter and a number, as in 0.1. Did you mean double_it?
  [2]
  $ ./tutorial check softmax
  tutorial: there is no step "softmax"; a step is a chapter and a number, as in 0.1.
  [2]
  $ ./tutorial check exercises/00_little/halv_it.cpp
  tutorial: there is no step "exercises/00_little/halv_it.cpp"; a step is a chapter and a number, as in 0.1. Did you mean halve_it?
  [2]
  $ ./tutorial hint 0,2
  tutorial: there is no step "0,2"; a step is a chapter and a number, as in 0.1. Did you mean 0.2?
  [2]
  $ ./tutorial check 0,3
  tutorial: there is no step "0,3"; a step is a chapter and a number, as in 0.1.
  [2]
  $ ./tutorial run litle
  tutorial: there is no chapter "litle"; ./tutorial lists the chapters. Did you mean little?
  [2]
  $ ./tutorial play 7
  tutorial: there is no chapter "7"; ./tutorial lists the chapters.
  [2]
  $ ./tutorial check --sanitise
  tutorial: ./tutorial check does not know the flag --sanitise; ./tutorial check --help explains it. Did you mean --sanitize?
  [2]
  $ ./tutorial --hlep
  tutorial: ./tutorial does not know the flag --hlep; ./tutorial --help explains it. Did you mean --help?
  [2]
  $ ./tutorial hint 0.1 --sanitize
  tutorial: ./tutorial hint does not know the flag --sanitize; ./tutorial hint --help explains it.
  [2]

A chapter says which steps it has, and a step which chapter it belongs to.

  $ ./tutorial check 0.3
  tutorial: there is no step 0.3; chapter 0 has the steps 0.1 to 0.2.
  [2]
  $ ./tutorial diff 0
  tutorial: 0 is a chapter; its steps are 0.1 to 0.2.
  [2]
  $ ./tutorial run 0.1
  tutorial: 0.1 is a step; its chapter is 0.
  [2]

A file of another folder is refused with the one that is meant.

  $ ./tutorial reset solutions/00_little/halve_it.cpp
  tutorial: solutions/00_little/halve_it.cpp is not a file of exercises/, where your steps are. Did you mean exercises/00_little/halve_it.cpp?
  [2]
  $ ./tutorial check chapters/00_little/main.cpp
  tutorial: chapters/00_little/main.cpp is not a file of exercises/, where your steps are.
  [2]
  $ (cd solutions/00_little && ../../tutorial hint ./halve_it.cpp)
  tutorial: ./halve_it.cpp is not a file of exercises/, where your steps are. Did you mean exercises/00_little/halve_it.cpp?
  [2]

A command for one step asks for it, and refuses what it has no use for.

  $ ./tutorial hint
  tutorial: which step? As in: ./tutorial hint 0.1
  [2]
  $ ./tutorial diff 0.1 0.2
  tutorial: ./tutorial diff takes no "0.2"; ./tutorial diff --help explains it.
  [2]
  $ ./tutorial list 0
  tutorial: ./tutorial list takes no "0"; ./tutorial list --help explains it.
  [2]
  $ ./tutorial bench 0
  tutorial: ./tutorial bench takes no "0"; ./tutorial bench --help explains it.
  [2]

A flag says which values it takes, and one of a program's how it is given to it.

  $ ./tutorial run 0 --format
  tutorial: --format needs a value, as in: ./tutorial run 1 --format png
  [2]
  $ ./tutorial play --port banana
  tutorial: --port banana: must be a number from 1 to 65535.
  [2]
  $ ./tutorial run --mine=some
  tutorial: --mine=some: there are --mine, --mine=all and --mine=passed.
  [2]
  $ ./tutorial run 0 --text Hello
  tutorial: unknown flag --text; the program's own come after --: ./tutorial run 0 -- --text …
  [2]

What a terminal would obey is not repeated.

  $ ./tutorial check $'\e[31m'
  tutorial: there is no step "\x1b[31m"; a step is a chapter and a number, as in 0.1.
  [2]
  $ ./tutorial run $'\xe2\x80\xae' 2>&1 | grep -c $'\xe2\x80\xae'
  0
  [1]

The help of a command is of this command alone. That of all has each of them.

  $ ./tutorial check --help
  ./tutorial check [N | N.M ..] your steps against the checklist: passed, failed (and why), not started
  
  Options
    check --sanitize            finds the line that reads or writes outside of its memory (slower)
    check --no-causes           only what fails, without a search for the mistake behind it
    check --debug               stops in your file, in the first check that fails: gdb or lldb, where print x shows a tensor
  
  Examples
    ./tutorial check 1.1                               attention_loops, the first step of chapter 01
    ./tutorial check softmax --sanitize                the line where it crashes
  
  ./tutorial --help explains all commands.
  $ ./tutorial help reset
  ./tutorial reset N.M          the untouched stub again; your version is kept in a backup
  
  ./tutorial --help explains all commands.
  $ ./tutorial status --help
  ./tutorial                    which of your steps pass, what to do next (also: list, next, progress, status)
  
  Options
    progress --json             the same for another program: each step with its state, when it was checked, and hints
  
  ./tutorial --help explains all commands.
  $ ./tutorial --help | grep -o '^./tutorial [a-z]*'
  ./tutorial 
  ./tutorial run
  ./tutorial play
  ./tutorial pages
  ./tutorial check
  ./tutorial hint
  ./tutorial diff
  ./tutorial watch
  ./tutorial reset
  ./tutorial update
  ./tutorial test
  ./tutorial bench
