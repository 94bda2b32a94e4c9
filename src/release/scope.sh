# Read by the launcher with the arguments of the start. Sets $write: what Deno is told that the program may write, which is
# the workspace, its repository, the directories of --add-dir, the state directory and the temporary ones. Only what a shell
# can do by itself: another program here would cost every start.
# shellcheck shell=sh

# A comma separates two paths in a flag of Deno's, and there is no way to write one that is part of a path.
scope_add() {
  case $1 in
    *,*) scope_all=yes ;;
    /*) scope_list=$scope_list,$1 ;;
  esac
}

# A directory, as it is called and by its real path. False where there is none.
scope_dir() {
  CDPATH='' cd -P -- "$1" 2> /dev/null || return 1
  scope_real=$PWD
  CDPATH='' cd -P -- "$scope_here" || return 1
  scope_add "$scope_real"
}

# A directory that is worked in, with its repository.
scope_root() {
  if scope_dir "$1"; then scope_repository "$scope_real"; fi
}

# The git directory of a repository around a directory, and the one that its worktrees share. What names one that is none
# is a file that anybody may have written.
scope_repository() {
  scope_at=$1
  while [ ! -e "$scope_at/.git" ]; do
    [ -n "$scope_at" ] || return 0
    scope_at=${scope_at%/*}
  done
  scope_git=$scope_at/.git
  if [ -f "$scope_git" ]; then
    scope_line=
    IFS= read -r scope_line < "$scope_git" || :
    case $scope_line in
      'gitdir: /'*) scope_git=${scope_line#gitdir: } ;;
      'gitdir: '*) scope_git=$scope_at/${scope_line#gitdir: } ;;
      *) return 0 ;;
    esac
  fi
  [ -f "$scope_git/HEAD" ] || return 0
  scope_dir "$scope_git" || return 0
  [ -f "$scope_git/commondir" ] || return 0
  scope_line=
  IFS= read -r scope_line < "$scope_git/commondir" || :
  case $scope_line in
    /*) ;;
    *) scope_line=$scope_git/$scope_line ;;
  esac
  [ ! -f "$scope_line/HEAD" ] || scope_dir "$scope_line" || :
}

# The state directory need not exist yet.
scope_state() {
  # shellcheck disable=SC2088
  case ${HARNESS_HOME:-} in
    '') scope_path=${HOME:-}/.harness ;;
    '~') scope_path=${HOME:-} ;;
    '~/'*) scope_path=${HOME:-}/${HARNESS_HOME#??} ;;
    /*) scope_path=$HARNESS_HOME ;;
    *) scope_path=$scope_here/$HARNESS_HOME ;;
  esac
  case $scope_path in
    */../* | */..) scope_all=yes ;;
  esac
  scope_add "$scope_path"
  scope_dir "$scope_path" || :
}

scope() {
  scope_list='' scope_all='' scope_workspace=. scope_next=
  # An editor names the directories later.
  [ "${1-}" != acp ] || scope_all=yes
  scope_was=${PWD-}
  CDPATH='' cd -P . 2> /dev/null || scope_all=yes
  scope_here=${PWD-}
  for scope_word; do
    case $scope_next in
      cwd) scope_workspace=$scope_word ;;
      add) scope_root "$scope_word" ;;
    esac
    scope_next=
    case $scope_word in
      --cwd) scope_next=cwd ;;
      --cwd=*) scope_workspace=${scope_word#*=} ;;
      --add-dir) scope_next=add ;;
      --add-dir=*) scope_root "${scope_word#*=}" ;;
    esac
  done
  scope_root "$scope_workspace"
  scope_state
  for scope_path in /tmp /var/tmp "${TMPDIR:-/tmp}"; do
    scope_add "$scope_path"
    scope_dir "$scope_path" || :
  done
  PWD=$scope_was
  # shellcheck disable=SC2034
  write=--allow-write
  # shellcheck disable=SC2034
  [ -n "$scope_all" ] || write=--allow-write=${scope_list#,}
}

scope "$@"
