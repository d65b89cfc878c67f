{#
row = "one row per row of recs of a user in the sample, with recsql's column names"
#}
select g.*
from (
    {{ rows_of("recs") | indent }}
) as g
inner join sampled as a on a.user_id is not distinct from g.user_id
