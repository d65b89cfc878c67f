#!/usr/bin/env bash
# The last step of action.yml: checks the tables, compares the models, and writes annotations, the outputs and the summary.
#
# All inputs come in the environment, and reach recsql as the value of a flag or behind `--`: none can become a command or a
# flag. Whatever ends the script before there is a verdict leaves "invalid". macOS has bash 3.2, so arrays are filled by loops.
set -euo pipefail

verdict=invalid sentence="The step ended before there was a verdict; its log says why." report=""
recsql=$RUNNER_TEMP/recsql/bin/recsql
[[ ${RUNNER_OS-} != Windows ]] || recsql=$RUNNER_TEMP/recsql/Scripts/recsql
folder=$(mktemp -d "$RUNNER_TEMP/recsql.XXXXXXXXXX") # of this use of the action; a job can have several
token=${folder##*.}                                  # no file and no model can know it
out=$folder/out.txt err=$folder/err.txt found=$folder/found.txt said=$folder/said.txt
results=$folder/results.json table=$folder/table.md summary=$folder/summary.md
touch "$found" "$said"

# -- what the step leaves

stop() { verdict=$1 sentence=$2 && exit "$3"; }

output() { printf '%s<<%s\n%s\n%s\n' "$1" "$token" "$2" "$token" >> "$GITHUB_OUTPUT"; }

# A text in which nothing is HTML, a mention or the number of an issue.
in_html() { sed -E 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/(^|[^[:alnum:]_])([@#])([[:alnum:]])/\1\2\&#8203;\3/g'; }

# Markdown is not read within <p> up to an empty line, and not within <pre>.
summarise() {
    printf '## recsql: %s\n\n<p>%s</p>\n\n' "$verdict" "$(in_html <<< "$sentence")"
    [[ ! -s $table ]] || { cat "$table" && printf '\n'; }
    printf '<details><summary>What recsql said</summary>\n\n<pre>\n%s\n</pre>\n\n</details>\n\n' "$(cat "$found" "$said" | in_html)"
}

finish() {
    [[ -s $results ]] || results=""
    summarise > "$summary"
    cat "$summary" >> "$GITHUB_STEP_SUMMARY"
    output verdict "$verdict"
    output sentence "$sentence"
    output results "$results"
    output summary "$summary"
    output report "$report"
    printf '::stop-commands::%s\n' "$token" # names in what recsql said could be commands to the runner
    cat "$said"
    printf '::%s::\n' "$token"
    sentence=${sentence//'%'/%25} sentence=${sentence//$'\r'/%0D} sentence=${sentence//$'\n'/%0A}
    [[ $verdict == passed ]] || printf '::error title=recsql %s::%s\n' "$verdict" "$sentence"
}
trap finish EXIT

# -- recsql

run() {
    local status=0
    "$recsql" "$@" > "$out" 2> "$err" || status=$?
    [[ $1 == report ]] || cat "$err" >> "$said" # report warns of the same as compare
    return "$status"
}

# The sentence of the command that has just failed. One that was killed left none.
complaint() {
    local line
    line=$(tail -n 1 "$err")
    line=${line#recsql: }
    printf '%s' "${line:-recsql ended with exit status $1 and said nothing.}"
}

has() { [[ $1 == *$'\n  '"$2"[[:space:]]* || $1 == *", $2 "* ]]; } # whether a help lists an option

# Sets `known` to the options, with their values, that a command has. Those that none of the other commands has are left to it,
# too, so that one that no command has is refused.
known_to() {
    local own others="" argument keep=yes
    known=()
    [[ ${#options[@]} != 0 ]] || return 0
    own=$("$recsql" "$1" --help-all)
    for argument in "${@:2}"; do others+=$("$recsql" "$argument" --help-all); done
    for argument in "${options[@]}"; do
        if [[ $argument == --* ]]; then
            keep=no
            if has "$own" "${argument%%=*}"; then keep=yes; fi
            if [[ $# != 1 ]] && ! has "$others" "${argument%%=*}"; then keep=yes; fi
        fi
        [[ $keep == no ]] || known+=("$argument")
    done
}

# -- the step

lists=() options=()
while read -r line; do [[ -z $line ]] || lists+=("$line"); done <<< "$INPUT_LISTS"
while read -r line; do [[ -z $line ]] || options+=("$line"); done <<< "$INPUT_OPTIONS"
[[ ${#lists[@]} != 0 && -n $INPUT_TRUTH ]] || stop invalid "The action needs the inputs lists and truth; name the files." 2
tables=(-- "${lists[@]}" "$INPUT_TRUTH")
last_k=${INPUT_K##*,} last_k=${last_k##*..} # check takes one cut-off

status=0
known_to check
run check ${known[@]+"${known[@]}"} -k="$last_k" --fail-on="$INPUT_CHECK" --format=github "${tables[@]}" || status=$?
[[ $status == 0 || $status == 3 ]] || stop invalid "$(complaint "$status")" "$status"
grep -E '^::(error|warning|notice) title=' "$out" || true
sed -E 's/^::([a-z]+) title=([^:]*)::/\1 \2: /; s/%25/%/g' "$out" > "$found"

asked=(-k="$INPUT_K" -m="$INPUT_METRICS")
[[ -z $INPUT_BASELINE ]] || asked+=(--baseline="$INPUT_BASELINE")
no_report=""
if [[ -n $INPUT_REPORT ]]; then # also of tables with errors, as the page says what is wrong
    known_to report
    if run report ${known[@]+"${known[@]}"} "${asked[@]}" --output="$INPUT_REPORT" "${tables[@]}"; then
        report=$INPUT_REPORT
    else
        no_report="There is no report: $(complaint $?)"
    fi
fi
[[ $status == 0 ]] || stop invalid "The tables can't be trusted: $(head -n 1 "$found")" "$status"

undecided=""
if [[ -z $INPUT_BASELINE ]]; then
    command=(evaluate --interval)
    case $INPUT_FAIL_IF in
        worse | never) undecided="Evaluated; without a baseline, nothing was compared." ;;
        maybe-worse | not-better) stop invalid "fail-if: $INPUT_FAIL_IF compares with a baseline; give the input baseline." 2 ;;
        *) asked+=(--fail-if="$INPUT_FAIL_IF") ;;
    esac
else
    command=(compare)
    case $INPUT_FAIL_IF in
        never) undecided="Compared; fail-if is never, so nothing was decided." ;;
        *) asked+=(--fail-if="$INPUT_FAIL_IF" --margin="$INPUT_MARGIN") ;;
    esac
fi
known_to "${command[0]}" check report
command+=(${known[@]+"${known[@]}"} "${asked[@]}")
run "${command[@]}" --output="$results" "${tables[@]}" || status=$?
[[ $status == 0 || $status == 3 || $status == 4 ]] || stop invalid "$(complaint "$status")" "$status"
[[ -s $results ]] || stop invalid "recsql wrote no results; the input options may ask for something else." 1
"$recsql" "${command[@]}" --output="$table" "${tables[@]}" > "$out" 2>&1 || [[ $? == "$status" ]]

while read -r line; do # the first one that begins with the word of a verdict
    case $status:$line in
        0:Passed* | 0:"Can't be tested"* | 0:Evaluated* | 0:Compared*) judged=passed ;;
        3:Failed*) judged=failed ;;
        3:"Not comparable"*) judged=not-comparable ;;
        4:"Can't tell"*) judged=unclear ;;
        *) continue ;;
    esac
    [[ $judged != passed || -z $no_report ]] || stop invalid "$no_report" 1
    stop "$judged" "$line" "$status"
done <<< "${undecided:-$(cat "$err")}"
stop invalid "recsql gave no verdict, with exit status $status; the log has what it said." 1
