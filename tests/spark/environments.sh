#!/usr/bin/env bash
# Makes the environments that the Spark tests run in, below a folder:
#   spark    Spark itself, which needs Java; sessions local and cluster, and the server that sessions connect to
#   thin     a client of Spark Connect without Java, and Sail
# environments.sh FOLDER [WHEEL], by default with recsql as it is here. It needs uv.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v java > /dev/null || { apt-get update -qq && apt-get install -y -qq openjdk-17-jre-headless; }
folder=$1 package=${2:-.}
environment() { uv venv -q "$folder/$1" && uv pip install -q --python "$folder/$1" "${@:2}"; }
environment spark "$package[spark,test]" 'pyspark[connect]==4.3.0'
environment thin "$package[test]" 'pyspark-client==4.2.0' 'pysail==0.7.2'
