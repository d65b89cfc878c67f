# A walk through recsql on the command line, over real data. From the root of the repository:
#
#     sh examples/command_line.sh
set -euv

recs=examples/movietweetings/recs.parquet
truth=examples/movietweetings/truth.parquet
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT

# The default metrics at two cut-offs, the models side by side.
recsql evaluate "$recs" "$truth" -k 5,10

# Only these metrics, one with a cut-off of its own, as a table in Markdown.
recsql evaluate "$recs" "$truth" -k 10 -m ndcg -m ap@20 --format markdown

# Another convention: exponential gains, and only users with a list.
recsql evaluate "$recs" "$truth" -m ndcg@10 --gain exp2 --no-recs skip

# Into a file. The ending selects the format.
recsql evaluate "$recs" "$truth" -m recall@10 -o "$out/recall.csv"
cat "$out/recall.csv"

# A row per user, and every recommended row with its discount and the dcg so far.
recsql per-user "$recs" "$truth" -m ndcg@10 -o "$out/per_user.parquet"
recsql hits "$recs" "$truth" -k 3 --format csv | head -n 4

# Where a number comes from: the steps of the query, and the rows of one of them for one user.
recsql explain "$recs" "$truth" -m ndcg@10
recsql evaluate "$recs" "$truth" -m ndcg@10 --stop-after hits --user-id 15558

# The statement that runs, the macro file for the DuckDB shell, and the list of metrics.
recsql sql "$recs" "$truth" -m precision@10 | head -n 12
recsql macros -o "$out/recsql.sql"
recsql metrics
