{#
message = "{recs}: these are the lists of one model{model}, and fusion needs two or more; give a column model, or a table for each model{files}"
place = 3
on = ["votes"]
#}
select
    {{ sentence(model="coalesce(' (' || max(m.model) || ')', '')", files=per_file) | indent }} as message
from (select distinct {{ "r.model" if modelled else sql.text("null") ~ " as model" }} from given_recs as r) as m
having count(*) = 1
