#!/bin/sh
# Started by bin/harness.cjs with the folder of this package, the Deno to use, and the arguments of the start.
set -eu
rt=$1 deno=$2
shift 2

@START@
set_aside
start "$@"
