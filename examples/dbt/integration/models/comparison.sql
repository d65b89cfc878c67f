{{ recsql.compare(ref("recs"), ref("truth"), k=10, metrics="ndcg", baseline="pop") }}
