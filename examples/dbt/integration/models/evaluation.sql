{{ recsql.evaluate_with_interval(ref("recs"), ref("truth"), k=[5, 10], metrics=["ndcg", "recall"]) }}
