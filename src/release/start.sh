# These act on Deno before our first line runs. Commands that run for the person get their values back.
set_aside() {
  for name in @SET_ASIDE@; do
    eval "value=\${$name-}"
    [ -z "$value" ] || eval "export @PREFIX@$name=\$value"
    unset "$name"
  done
  export @OURS@
}

# Our code lies in $rt/app. It may not write to $rt.
start() {
  # A comma separates two paths in a flag of Deno's, and there is no way to write one that is part of a path.
  case $rt in
    *,*) guard=-q ;;
    *) guard=--deny-write=$rt ;;
  esac
  # shellcheck source=scope.sh
  . "$rt/app/scope.sh"
  exec "$deno" run @FLAGS@ "$write" "$guard" "$rt/app/main.js" "$@"
}
