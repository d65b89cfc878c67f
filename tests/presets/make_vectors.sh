#!/usr/bin/env bash
# Runs the heavy libraries on the samples of test_vectors.py and stores what they give in vectors/NAME.json.
# make_vectors.sh FOLDER [NAME...], all of them by default: FOLDER gets one virtual environment per library.
# PYTHON is the interpreter that has recsql and its extra `test`; Spark needs Java 17.
set -euo pipefail

folder=$(mkdir -p "$1" && realpath "$1")
shift
python=${PYTHON:-python3.11}
cd "$(dirname "$0")/../.."

# Their metrics need far less than they ask for: each is installed alone, then what the metrics import.
declare -A libraries=(
    [lenskit]="lenskit==2025.8.1"
    [recbole]="recbole==1.2.1"
    [torchmetrics]="torchmetrics==1.9.0"
    [cornac]="cornac==3.0.1"
    [recpack]="recpack==0.3.6"
    [evidently]="evidently==0.7.23"
    [spark]="pyspark==4.3.0"
)
declare -A needed=(
    [lenskit]="torch==2.13.0 numpy scipy pandas<3 pyarrow lazy_loader structlog rich requests pydantic pydantic-settings
        humanize xopen more-itertools deepmerge pyzmq"
    [recbole]="torch==2.13.0 numpy<2 scipy pandas<3 scikit-learn pyyaml tqdm colorlog colorama tensorboard texttable"
    [torchmetrics]="torch==2.13.0 numpy lightning-utilities"
    [cornac]="numpy scipy tqdm powerlaw"
    [recpack]="numpy<2 scipy pandas<2.3 scikit-learn pyyaml"
    [evidently]="evidently==0.7.23 pandas<3"
    [spark]="py4j"
)

names=("$@")
[ $# -gt 0 ] || names=("${!libraries[@]}")
for name in "${names[@]}"; do
    "$python" -m venv "$folder/$name"
    read -ra packages <<< "$(tr '\n' ' ' <<< "${needed[$name]}")"
    "$folder/$name/bin/python" -m pip install --quiet --no-deps "${libraries[$name]}"
    "$folder/$name/bin/python" -m pip install --quiet "${packages[@]}"
    "$python" -m tests.presets.test_vectors "$folder" "$name"
    [[ ! -e tests/presets/heavy/split_$name.py ]] || "$python" -m tests.presets.test_splitters "$folder" "$name"
done
