#!/bin/sh
# harness @VERSION@ for @TARGET@, in one file: this launcher, our code, and Deno @DENO@.
# The first start unpacks both into a private folder of the cache; every start runs them from there.
set -eu

id=@ID@
payload_sum='@SUM@'
app_bytes=@APP_BYTES@

fail() {
  printf 'harness: %s\n' "$1" >&2
  exit 1
}

@START@
# A cleaner of caches takes single files.
is_whole() {
  read -r files < "$rt/ok" && set -- "$rt"/app/* && [ $# = "$files" ] && [ -s "$rt/deno" ] && [ -x "$rt/deno" ]
} 2> /dev/null

# In a subshell, so that umask and traps end with it. Whatever happens, there is a whole folder or none.
unpack() (
  [ "$(tail -c +4097 < "$0" | cksum)" = "$payload_sum" ] ||
    fail "\"$0\" is damaged or was cut short: what it holds has another checksum. Nothing was unpacked; get the file again"
  umask 077
  place="Cannot unpack into \"$home\": no folder can be made there. Set XDG_CACHE_HOME to a folder of yours"
  mkdir -p "$home" || fail "$place"
  new=$(mktemp -d "$home/new-$id.XXXXXX") || fail "$place"
  trap 'rm -rf "$new"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  # Folders of starts that were killed; no start takes a day.
  find "$home/." ! -name . -prune -type d -name 'new-*' -mtime +0 -exec rm -rf {} + 2> /dev/null || :

  full="Cannot unpack into \"$home\": 135 MB are needed there. Make room, or set XDG_CACHE_HOME to another folder"
  mkdir "$new/d" || fail "$full"
  tail -c +4097 < "$0" | head -c "$app_bytes" | gzip -dc > "$new/app.tar" || fail "$full"
  tar -xomf "$new/app.tar" -C "$new" || fail "$full"
  rm "$new/app.tar"
  tail -c "+$((4097 + app_bytes))" < "$0" | gzip -dc > "$new/deno" || fail "$full"
  chmod 0500 "$new/deno"
  "$new/deno" --version > /dev/null < /dev/null ||
    fail "Cannot run what was unpacked into \"$home\": it is made for @TARGET@, and the folder must allow programs"
  set -- "$new"/app/*
  echo $# > "$new/ok"

  # One rename. Where another start was faster, ours fails or lands inside, and goes.
  [ ! -d "$rt" ] || is_whole || mv "$rt" "$new.old" 2> /dev/null || :
  mv "$new" "$rt" 2> /dev/null || is_whole || fail "Cannot rename \"$new\" to \"$rt\""
  rm -rf "${rt:?}/${new##*/}" "$new.old"
)

main() {
  case ${XDG_CACHE_HOME:-} in
    /*) home=$XDG_CACHE_HOME/harness ;;
    *) case ${HOME:-} in
      /*) home=$HOME/.cache/harness ;;
      *) fail "Cannot start: there is no folder to unpack into. Set HOME or XDG_CACHE_HOME to an absolute path" ;;
    esac ;;
  esac
  rt=$home/rt-$id
  set_aside
  export @PREFIX@DENO_DIR="${DENO_DIR-}" DENO_DIR="$rt/d"
  is_whole || unpack
  deno=$rt/deno
  start "$@"
}

main "$@"
exit 1
