{#
message = "{recs} has the lists of one model{model}, and fusion needs those of two or more; add a column model, or give a mapping of names to tables{files}"
place = 3
on = ["votes"]
#}
select
    {{ sentence(model="coalesce(' (' || max(m.model) || ')', '')", files=per_file) | indent }} as message
from (select distinct {{ "r.model" if modelled else sql.text("null") ~ " as model" }} from given_recs as r) as m
having count(*) = 1
