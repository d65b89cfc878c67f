{#
row = "one row per model; where nothing is recommended, one row without a name"
#}
select distinct r.model
from given_recs as r
union all
select {{ sql.text("null") }} as model
where not exists (select 1 from given_recs as r)
