#!/usr/bin/env bash
# Builds a virtual environment for each library that the presets are compared with, and one for retrievers: some exclude each other.
# environments.sh FOLDER [NAME...], all of them by default; then RECSQL_PEERS=FOLDER pytest -m peers
# It needs uv.
set -euo pipefail

folder=$1
shift

declare -A packages=(
    [ranx]="ranx==0.3.21"
    [ir_measures]="ir-measures==0.4.3 cwl-eval==1.0.12 setuptools<81"
    [rectools]="rectools==0.19.0"
    [sklearn]="scikit-learn==1.9.1"
    [jurity]="pandas<3 scikit-learn"
    [recommenders]="pandas<3 scikit-learn<2"
    [recpack]="pandas<3 scikit-learn<2 pyyaml tqdm"
    [replay]="pandas<3 polars<2 scipy<2 numpy<2.5 setuptools"
    [ragas]="ragas==0.4.3 langchain-community<0.4"
    [retrieval]="langchain-core==1.8.3 haystack-ai==3.4.1"
)

# These ask for far more than their metrics need.
declare -A alone=(
    [jurity]="jurity==2.1.0"
    [recommenders]="recommenders==1.2.1"
    [recpack]="recpack==0.3.6"
    [replay]="replay-rec==0.22.0"
)

for name in "${@:-${!packages[@]}}"; do
    uv venv -q "$folder/$name"
    install=(uv pip install -q --python "$folder/$name")
    read -ra wanted <<<"${packages[$name]}"
    "${install[@]}" "${wanted[@]}"
    [[ -z ${alone[$name]-} ]] || "${install[@]}" --no-deps "${alone[$name]}"
done
