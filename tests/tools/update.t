tests/tools/update.t · ./tutorial update: a new version; what the learner wrote stays where it is

  $ . "$TESTDIR/setup"

A learner's clone, and the clone where the next version is made.

  $ export GIT_{AUTHOR,COMMITTER}_NAME=A GIT_{AUTHOR,COMMITTER}_EMAIL=a@b GIT_CONFIG_GLOBAL=/dev/null
  $ commit() { git add -A && git commit -q -m 'a version'; }
  $ mkdir hers && mv [!h]* hers && cd hers && git init -q -b main && printf '%s\n' .tutorial/ build/ plots/ >.gitignore && commit
  $ git clone -q --bare . ../origin.git && git clone -q ../origin.git ../next
  $ git remote add origin ../origin.git && git fetch -q && git branch -q -u origin/main
  $ publish() { (cd ../next && commit && git push -q); }
  $ task() { sed -i "s/TODO 0.1: .*/TODO 0.1: $1/; s/begin: .*/begin: $1/" ../next/{solutions,exercises}/00_little/double_it.cpp; publish; }

What she wrote stays; untouched stubs are those of the new version.

  $ write double_it 'return 2 * x;'
  $ task 'Two x.'
  $ echo '// a new stub' >../next/exercises/00_little/halve_it.cpp && publish
  $ ./tutorial update
  This is the new version now (2 new commits).
  Exercises that changed: double_it. What you wrote stays. ./tutorial check tries it; ./tutorial reset double_it brings the new stub, and keeps your version in a backup.
  $ tail -n 3 exercises/00_little/*
  ==> exercises/00_little/double_it.cpp <==
  int double_it(int x) {
      return 2 * x;
  }
  
  ==> exercises/00_little/halve_it.cpp <==
  // a new stub
  $ grep -c Two solutions/00_little/double_it.cpp
  1
  $ ls .tutorial
  backup
  checks
  hints
  tutorial.lock
  warnings
  $ ./tutorial update
  There is no newer version.

So it is where she has committed it.

  $ commit
  $ task Double.
  $ ./tutorial update | sed -n 1p
  This is the new version now (1 new commit).
  $ git status --short
  $ grep return exercises/00_little/double_it.cpp
      return 2 * x;

A stub of before becomes the new one.

  $ sed 's/5 min/9 min/' ../next/exercises/00_little/double_it.cpp >exercises/00_little/double_it.cpp
  $ task 'Twice x again.'
  $ ./tutorial update
  This is the new version now (1 new commit).
  $ cmp {.,../next}/exercises/00_little/double_it.cpp

Where git can't pull, all is as it was.

  $ write double_it 'return x + x;'
  $ echo '# 0 · More' >chapters/00_little/README.md
  $ echo '# 0 · Less' >../next/chapters/00_little/README.md && publish
  $ ./tutorial update 2>&1 | sed 's/git says: .*/git says …/'
  tutorial: git can't bring the new version, and your files are as they were; git says …
  $ commit
  $ ./tutorial update 2>&1 | sed 's/git says: .*/git says …/'
  tutorial: git can't bring the new version, and your files are as they were; git says …
  $ git status --short
  $ grep -h -e return -e More exercises/00_little/double_it.cpp chapters/00_little/README.md
      return x + x;
  # 0 · More
  $ git checkout -q HEAD~ chapters && commit

An update that was killed is ended by the next one, and overwrites no newer work.

  $ mkdir -p .tutorial/updating/exercises/00_little
  $ git show HEAD:exercises/00_little/double_it.cpp >exercises/00_little/double_it.cpp
  $ sed 's/x + x/x << 1/' exercises/00_little/double_it.cpp >.tutorial/updating/exercises/00_little/double_it.cpp
  $ ./tutorial | grep update
  An update is not finished: ./tutorial update ends it.
  $ ./tutorial update
  An update was interrupted; what you wrote is in its place again.
  This is the new version now (1 new commit).
  $ grep return exercises/00_little/double_it.cpp
      return x << 1;
  $ mkdir -p .tutorial/updating/exercises/00_little
  $ sed 's/x << 1/0/' exercises/00_little/double_it.cpp >.tutorial/updating/exercises/00_little/double_it.cpp
  $ ./tutorial update
  An update was interrupted; what you wrote is in its place again.
  There is no newer version.
  $ grep return exercises/00_little/double_it.cpp
      return x << 1;

The file of a step that is gone is kept.

  $ rm ../next/{solutions,exercises}/00_little/double_it.cpp && sed -i '1s/0.2/0.1/' ../next/{solutions,exercises}/00_little/halve_it.cpp && publish
  $ ./tutorial update
  This is the new version now (1 new commit).
  exercises/00_little/double_it.cpp belongs to no step any more. It is kept.
  $ grep return exercises/00_little/double_it.cpp
      return x << 1;

It says what keeps it from pulling.

  $ mv ../origin.git ../gone
  $ ./tutorial update 2>&1 | sed 's/git says: .*/git says …/'
  tutorial: the new version can't be fetched; git says …
  $ cp .git/refs/heads/main .git/MERGE_HEAD
  $ ./tutorial update
  tutorial: a merge or a rebase is not finished; end it first, git status tells how.
  [2]
  $ rm -rf .git
  $ ./tutorial update
  tutorial: this folder is no git clone; copy your folders exercises/ and .tutorial/ into a new copy of the tutorial.
  [2]
