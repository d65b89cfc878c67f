"""Apache Spark, RankingMetrics over a full outer join: a user without a list, or without truth, has an empty array.

It is called in the JVM: its wrapper for Python drops the relevance.
"""

from typing import Any

from common import KS, WHOLE, Rows, Values, give
from pyspark.sql import SparkSession

context = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate().sparkContext
jvm = context._jvm


def lists(rows: Rows, column: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in rows:
        found.setdefault(row["user_id"], []).append(row[column])
    return found


def array(kind: Any, found: list[Any]) -> Any:
    made = context._gateway.new_array(kind, len(found))
    for place, value in enumerate(found):
        made[place] = value
    return made


def ranking_metrics(tuples: list[Any]) -> Any:
    given = context._jsc.parallelize(jvm.java.util.ArrayList(tuples), 1).rdd()
    return jvm.org.apache.spark.mllib.evaluation.RankingMetrics(given, jvm.scala.reflect.ClassTag.Any())


def values(recs: Rows, truth: Rows) -> Values:
    listed, labels, relevances = lists(recs, "item_id"), lists(truth, "item_id"), lists(truth, "relevance")
    pairs, triples = [], []
    for user in {**listed, **labels}:
        items, relevant = (array(jvm.java.lang.String, each.get(user, [])) for each in (listed, labels))
        pairs.append(jvm.scala.Tuple2(items, relevant))
        triples.append(jvm.scala.Tuple3(items, relevant, array(jvm.double, relevances.get(user, []))))
    binary, graded = ranking_metrics(pairs), ranking_metrics(triples)
    found = {f"ap(denominator=relevant)@{WHOLE}": binary.meanAveragePrecision()}
    for k in KS:
        found |= {
            f"precision@{k}": binary.precisionAt(k),
            f"recall@{k}": binary.recallAt(k),
            f"ap@{k}": binary.meanAveragePrecisionAt(k),
            f"ndcg@{k}": binary.ndcgAt(k),
            f"ndcg(gain=exp2, ideal=truth_as_given)@{k}": graded.ndcgAt(k),
        }
    return found


give(values)
