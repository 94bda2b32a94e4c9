import os, sys, types

# The scratch directory is searched last: what an earlier run left there must not decide what "import json" means.
sys.path[:] = [entry for entry in sys.path if entry not in ("", os.getcwd())]


def read(size):
    data = b""
    while len(data) < size:
        chunk = os.read(0, size - len(data))
        if not chunk:
            os._exit(3)
        data += chunk
    return data


for name, size in zip(sys.argv[1::2], sys.argv[2::2]):
    sys.modules[name] = types.ModuleType(name)
    exec(compile(read(int(size)), "<harness>", "exec"), vars(sys.modules[name]))
