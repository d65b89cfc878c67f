"""Fusion by ranx: runs, each a mapping of users to mappings of items to scores, to the fused scores by method."""

import json
import sys

from ranx import Run, fuse

runs = [Run(one) for one in json.load(sys.stdin)]
names = {"rrf": "rrf", "comb_sum": "sum", "comb_mnz": "mnz"}
json.dump({name: fuse(runs, "min-max", theirs).to_dict() for name, theirs in names.items()}, sys.stdout)
