#!/usr/bin/env bash
# Builds and runs the verifiers of the finalization protocol; ./dev check model calls it.
# What pan prints is read strictly: a search that was cut short in any way is a failure.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: check.sh --out DIR [--quick] [--memory MIB] [--trail VARIANT]

  --out DIR        where verifiers are built
  --quick          two writes and one crash, and the variants
  --memory MIB     what one verifier may use (default 4096)
  --trail VARIANT  print the steps to the failure of one variant, and nothing else

exit codes: 0 all is as expected, 1 something is not, 2 bad arguments or no verifier, 77 no spin
TEXT
}

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly source_dir
readonly most_steps=10000  # of one execution; the longest has some hundred
out='' quick=0 memory=4096 trail=''

fail() {
  printf 'model: %s\n' "$*" >&2
  exit 2
}

read_arguments() {
  while (($#)); do
    case $1 in
      --quick) quick=1 ;;
      -h | --help)
        usage
        exit 0
        ;;
      --out | --memory | --trail)
        (($# >= 2)) || fail "$1 needs a value"
        case $1 in
          --out) out=$2 ;;
          --trail) trail=$2 ;;
          --memory)
            [[ $2 =~ ^[1-9][0-9]{0,6}$ ]] || fail "--memory: \`$2\` is not a number of MiB"
            memory=$2
            ;;
        esac
        shift
        ;;
      *) fail "unknown argument \`$1\`: expected --quick, --memory MIB or --trail VARIANT" ;;
    esac
    shift
  done
  [[ -n $out ]] || fail "where to build is missing: give --out DIR"
}

# --- one verifier ------------------------------------------------------------------------------

# build FOLDER "MODEL FLAGS" "VERIFIER FLAGS": leaves FOLDER/pan.
build() {
  local folder=$1
  local -a model verifier
  read -ra model <<<"$2"
  read -ra verifier <<<"$3"
  mkdir -p "$folder"
  rm -f "$folder"/*
  # Spin complains on stdout, and writes into the folder it runs in.
  (cd "$folder" && spin -a "${model[@]}" "$source_dir/run.pml" >spin.log 2>&1) ||
    fail "spin does not take the model: $(head -3 "$folder/spin.log" | paste -sd' ')"
  # All steps share state: leaving out orders gains nothing, and it does not go with `timeout`.
  "${CC:-cc}" -w "${verifier[@]}" -DNOREDUCE -DMEMLIM="$memory" -o "$folder/pan" "$folder/pan.c" ||
    fail "\`${CC:-cc}\` does not compile the verifier $folder/pan.c"
}

# search FOLDER STEPS [PAN OPTIONS]: leaves FOLDER/pan.log and sets `seconds`.
search() {
  local folder=$1 start=$EPOCHREALTIME
  # pan exits 0 whatever it finds; another code, a signal for instance, means that it broke off.
  (cd "$folder" && ./pan -m"$2" "${@:3}" >pan.log 2>&1) ||
    echo "pan: exit code $?" >>"$folder/pan.log"
  seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
}

# What pan reports in FOLDER; empty where it does not say.
states_of() { sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' "$1/pan.log"; }
depth_of() { sed -n 's/^State-vector .* depth reached \([0-9]*\), errors: .*/\1/p' "$1/pan.log"; }
errors_of() { sed -n 's/^State-vector .* depth reached .*, errors: \([0-9]*\)$/\1/p' "$1/pan.log"; }
error_of() { sed -n 's/^pan:[0-9]*: \(.*\) (at depth [0-9-]*)$/\1/p' "$1/pan.log"; }

# Why the search in FOLDER shows nothing; empty when it was exhaustive and found no error.
objection() {
  local folder=$1 log=$1/pan.log found
  found=$(error_of "$folder")
  if [[ -n $found ]]; then
    echo "$found"
  elif grep -qi 'max search depth too small' "$log"; then
    echo "the search was cut: an execution is longer than it may be"
  elif grep -qi -e 'out of memory' -e 'memlim' "$log"; then
    echo "the search was cut: $memory MiB are not enough: raise --memory"
  elif grep -qi 'search not completed' "$log"; then
    echo "the search was cut: see $log"
  elif grep -q -e '^pan: exit code' -e '^error:' "$log"; then
    echo "pan broke off: see $log"
  elif [[ $(errors_of "$folder") != 0 || -z $(states_of "$folder") ]]; then
    echo "pan's report is not understood: see $log"
  fi
}

# Places of the model that no execution in FOLDER comes to: nothing would be proven about them.
# -end- is where a process would end; these never do.
unreached() {
  sed -n 's/^[[:space:]]*\([a-z]*\.pml:[0-9]*\), state \(.*\)/\1 \2/p' "$1/pan.log" |
    grep -v -- '"-end-"' | cut -d' ' -f1 | sort -u | head -3 | paste -sd' ' || true
}

# --- what is checked ---------------------------------------------------------------------------

failures=0

# report NAME FOLDER VERDICT
report() {
  printf '%-44s %8s states  depth %3s  %5s s  %s\n' "$1" "$(states_of "$2")" "$(depth_of "$2")" \
    "$seconds" "$3"
}

# conclude NAME FOLDER "" or WHY-NOT
conclude() {
  if [[ -z $3 ]]; then
    report "$1" "$2" holds
  else
    report "$1" "$2" "FAILS: $3"
    failures=$((failures + 1))
  fi
}

# must_hold NAME "MODEL FLAGS" "VERIFIER FLAGS" [PAN OPTIONS]
must_hold() {
  local folder=$out/${1//[^a-z0-9]/-} why dead
  build "$folder" "$2" "$3"
  search "$folder" $most_steps "${@:4}"
  why=$(objection "$folder")
  # What expiry leads to is not there without it.
  if [[ -z $why && " $2 " != *" -DEXPIRY=0 "* ]]; then
    dead=$(unreached "$folder")
    why=${dead:+nothing ever comes to $dead}
  fi
  conclude "$1" "$folder" "$why"
}

# Shows that a search which was cut is not taken for one that found nothing.
must_be_cut() {
  local name='two writes, no crash, cut on purpose' folder=$out/cut why
  build "$folder" '-DWRITES=2 -DCRASHES=0' '-O0 -DSAFETY'
  search "$folder" 30
  why=$(objection "$folder")
  if [[ $(errors_of "$folder") == 0 && $why == 'the search was cut'* ]]; then
    report "$name" "$folder" 'is not taken for a pass, as expected'
  else
    conclude "$name" "$folder" "expected a cut search, found ${why:-a pass}"
  fi
}

variants() { grep -v '^#' "$source_dir/variants.txt"; }

# Searches breadth first, so that the failure it finds is one of the shortest; sets `folder` and
# `flags`. search_variant NAME EXPECTED
search_variant() {
  local name=${1^^}
  folder=$out/without-$1
  flags="-DWRITES=2 -DCRASHES=1 -DSTEP=d_step -DWITHOUT_${name//-/_}"
  if [[ $2 == sealing_ends ]]; then flags+=' -DEXPIRY=0'; fi
  build "$folder" "$flags" '-O0 -DSAFETY -DBFS'
  search "$folder" $most_steps -w20
}

# The trail in the model's own lines, without Spin's account of variables.
steps() {
  local -a model
  read -ra model <<<"$flags"
  (cd "$folder" && spin -t -T -k run.pml.trail "${model[@]}" "$source_dir/run.pml" 2>&1) |
    sed '/^spin: /,$d'
}

# must_fail NAME EXPECTED
must_fail() {
  local found
  search_variant "$1" "$2"
  found=$(error_of "$folder")
  if [[ $found == "assertion violated $2" && -s $folder/run.pml.trail ]]; then
    report "without $1" "$folder" "breaks ${2/_/ }, as expected: $(steps | tail -1)"
  else
    conclude "without $1" "$folder" \
      "expected that ${2/_/ } breaks, found ${found:-no failure; $(objection "$folder")}"
  fi
}

print_trail() {
  local name expected rule
  while read -r name expected rule; do
    if [[ $name == "$trail" ]]; then
      search_variant "$name" "$expected"
      printf 'left out: %s\nbroken:   %s\n\n' "$rule" "$(error_of "$folder")"
      steps | cat -n
      return
    fi
  done < <(variants)
  fail "--trail: no variant \`$trail\`: there is $(variants | cut -d' ' -f1 | paste -sd' ')"
}

check_all() {
  if ((quick)); then
    must_hold 'two writes, one crash' '-DWRITES=2 -DCRASHES=1' '-O1 -DSAFETY'
    must_hold 'two writes, one crash, no expiry' '-DWRITES=2 -DCRASHES=1 -DEXPIRY=0' '-O1 -DSAFETY'
  else
    must_hold 'two writes, two crashes' '-DWRITES=2 -DCRASHES=2' '-O2 -DSAFETY'
    must_hold 'two writes, two crashes, no expiry' '-DWRITES=2 -DCRASHES=2 -DEXPIRY=0' \
      '-O2 -DSAFETY'
    # Any cycle is one without progress: no step is labelled as such.
    must_hold 'two writes, two crashes, nothing is endless' '-DWRITES=2 -DCRASHES=2' '-O2 -DNP' -l
    must_hold 'three writes, two crashes' '-DWRITES=3 -DCRASHES=2' '-O2 -DSAFETY' -w26
  fi
  must_be_cut
  local name expected rule
  while read -r name expected rule; do
    must_fail "$name" "$expected"
  done < <(variants)
}

main() {
  read_arguments "$@"
  command -v spin >/dev/null || {
    echo 'model: skipped: spin is not installed: `./dev setup model` installs it'
    exit 77
  }
  if [[ -n $trail ]]; then
    print_trail
    return
  fi
  check_all
  if ((failures)); then
    echo "model: $failures of these are not as expected"
    return 1
  fi
  echo 'model: the promises hold, and each rule that is left out breaks one'
}

main "$@"
