{#
row = "one row per row of truth of a user in the sample, with recsql's column names"
#}
select g.*
from (
    {{ rows_of("truth") | indent }}
) as g
inner join sampled as a on a.user_id is not distinct from g.user_id
