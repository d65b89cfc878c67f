{{ recsql.evaluate(ref("recs"), ref("truth"), k=10, metrics="ndcg", schema="trec_eval") }}
