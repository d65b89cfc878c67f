{#
row = "one row per model, user with a hit and cut-off: the statistics of the hits in the whole list"
sums = { over = "list", alias = "w", reader = "at_k" }
#}
select
    h.model,
    h.user_id,
    c.k{% for name, sum in rendering.sums("list").items() %},
    {{ sum }} as {{ name }}
{%- endfor %}

from hits as h
cross join cutoffs as c
{{ condition(truth_window="k").filter("h.truth_rank <= c.k") }}
group by h.model, h.user_id, c.k
