# tools/debug/lldb_printers.py · lldb: print x shows the shape and the values of a tensor or a mask (not tried yet)


def shown(value, kind):
    call = f'((const char* (*)(const void*)) tfs_shown_{kind})((const void*) {value.GetLoadAddress()})'
    text = value.GetFrame().EvaluateExpression(call).GetSummary()
    return text.strip('"') if text else 'no value (yet)'


def tensor(value, _):
    return shown(value, 'tensor')


def mask(value, _):
    return shown(value, 'mask')


def __lldb_init_module(debugger, _):
    for name in ('tensor', 'mask'):
        debugger.HandleCommand(f'type summary add -F {__name__}.{name} tfs::{name.capitalize()}')
