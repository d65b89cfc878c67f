{#
message = "{recs}: {model} is the only model, and a comparison needs two or more; give the lists of another one"
place = 3
on = ["model_pairs"]
#}
select
    {{ sentence(model="coalesce(min(m.model), 'NULL')") | indent }} as message
from models as m
having count(*) < 2
