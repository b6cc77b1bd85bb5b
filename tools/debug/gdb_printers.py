# tools/debug/gdb_printers.py · gdb: print x shows the shape and the values of a tensor or a mask
import gdb
import gdb.printing


class Shown:
    def __init__(self, value, kind):
        self.value, self.kind = value, kind

    def to_string(self):
        if self.value.address is None:  # what `finish` says that a function returned
            return 'not shown: a returned value has no address; print a variable before the return'
        try:
            call = f'((const char* (*)(const void*)) tfs_shown_{self.kind})((const void*) {int(self.value.address)})'
            return gdb.parse_and_eval(call).string()
        except (gdb.error, gdb.MemoryError):
            return 'no value (yet)'


gdb.execute('set print frame-arguments presence')
gdb.execute('set unwindonsignal on')  # a variable that is not made yet may crash the call
printers = gdb.printing.RegexpCollectionPrettyPrinter('tfs')
for type_name, kind in {'Tensor': 'tensor', 'Mask': 'mask'}.items():
    printers.add_printer(type_name, f'^tfs::{type_name}$', lambda value, kind=kind: Shown(value, kind))
gdb.printing.register_pretty_printer(gdb.current_objfile(), printers, replace=True)
