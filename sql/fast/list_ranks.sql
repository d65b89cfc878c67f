{#
row = "one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks"
before = "lists"
#}
{# For steps besides the report, DuckDB needs an estimate of the number of groups, which it lacks for an expression. #}
{% set user = sql.not_narrowed("r.user_id") if counted_alone else "r.user_id" %}
{% set rank = "case when r.rank_by = 'rank' then r.rank end" if any_order else "r.rank" if by_rank else "null" %}
{% if listed %}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    max({{ sql.length("r.items") }}) as last_rank,
    cast(sum({{ sql.length("r.items") }}) as bigint) as returned
from given_lists as r
where {{ sql.length("r.items") }} > 0
group by {{ model("r") }}r.user_id
{% else %}
select
{% if modelled %}
    r.model,
{% endif %}
    {{ user }}{{ " as user_id" if counted_alone }},
{% if lengths_count %}
    max({{ rank }}) as last_rank,
{% endif %}
{% if by_rank %}
    bit_xor({{ sql.salted_hash("try_cast(" ~ rank ~ " as bigint)") }}) as ranks,
{% endif %}
    count(*) as returned
from given_recs as r
group by {{ model("r") }}{{ user }}
{% endif %}
