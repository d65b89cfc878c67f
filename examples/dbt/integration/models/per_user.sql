{{ recsql.per_user(ref("recs"), ref("truth"), k=10) }}
