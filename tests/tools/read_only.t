tests/tools/read_only.t · a tutorial in a folder that is not the learner's

  $ . "$TESTDIR/setup"

The commands are those of a user who may read and not write: of nobody, where this one is root.

  $ cp "$runner" . && sed -i 's|"[^"]*tutorial_runner"|${0%/*}/tutorial_runner|' tutorial
  $ chmod a+rx "$CRAMTMP" && chmod a+rwx "$TMPDIR" && chmod -R a+rX,a-w .
  $ [[ $EUID != 0 ]] || nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'

To look works, and leaves nothing.

  $ find . | sort >"$CRAMTMP/before"
  $ $nobody ./tutorial | sed -n 2p
  00  Little numbers  0 of 2  0.1 double_it: not started
  $ $nobody ./tutorial --version | sed 1d
  Kernels of OpenBLAS: not known yet; the first ./tutorial run finds them out.
  $ $nobody ./tutorial diff 0.1 --yes | tail -n 3
  -    throw NotImplemented("0.1 double_it");
  +    return 2 * x;
   }
  $ find . | sort | cmp - "$CRAMTMP/before"

What has to write says in one sentence why it can't.

  $ for command in 'check 0.1' 'hint 0.1' 'reset 0.1' 'run 0' test bench; do $nobody ./tutorial $command 2>&1; done | sed "s|$PWD|…|" | uniq -c
        6 tutorial: cannot write to …/.tutorial; is the folder yours?
  $ chmod -R u+w .
