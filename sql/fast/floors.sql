{#
row = "one row per list with a possibly relevant item: the worst score of such items; items with a worse one need no rank"
before = "contenders"
#}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    {{ "min" if order == "desc" else "max" }}(r.score) as score
from likely_hits as r
group by {{ model("r") }}r.user_id
