tests/tools/pages.t · where ./tutorial pages does not write; tests/play has what it writes

  $ . "$TESTDIR/setup"
  $ pages() { ./tutorial pages "$@" 2>&1 | sed "s|$PWD|…|"; return "${PIPESTATUS[0]}"; }

It needs a folder, and takes no other words than chapters.

  $ pages
  tutorial: pages needs a folder, as in: ./tutorial pages site
  [2]
  $ pages site 7
  tutorial: there is no chapter "7"; ./tutorial lists the chapters.
  [2]

Nothing that it did not write is lost, and what it wrote is known by a list.

  $ mkdir -p site/files && echo mine >site/CNAME
  $ pages site
  tutorial: …/site/CNAME was not written by ./tutorial pages and would be lost; name a new folder, or an empty one.
  [2]
  $ printf 'CNAME\nfiles/written.txt\n' >site/files/written.txt && ln -s / site/all
  $ pages site/
  tutorial: …/site/all was not written by ./tutorial pages and would be lost; name a new folder, or an empty one.
  [2]
  $ pages site/CNAME
  tutorial: …/site/CNAME is no folder.
  [2]

A folder that can't be written is named before anything is built, and where it fails later nothing is left.

  $ pages /proc/site
  tutorial: /proc/site can't be written (No such file or directory).
  [2]
  $ pages new --no-install >/dev/null
  [2]
  $ ls | grep new
  [1]
