#!/usr/bin/env bash
# Makes the environments that the Spark tests run in, below a folder:
#   spark    Spark itself, which needs Java; sessions local and cluster, and the server that sessions connect to
#   thin     a client of Spark Connect without Java, and Sail
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v java > /dev/null || { apt-get update -qq && apt-get install -y -qq openjdk-17-jre-headless; }
fresh() { python3 -m venv "$folder/$1" && . "$folder/$1/bin/activate"; }
folder=$1
fresh spark && pip install -q '.[spark,test]' 'pyspark[connect]==4.3.0'
fresh thin && pip install -q '.[test]' 'pyspark-client==4.2.0' 'pysail==0.7.2'
