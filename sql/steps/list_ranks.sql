{#
row = "one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks"
#}
{% set by_rank = condition(rank_by="score").negated %}
{# If more steps than the report read this one, DuckDB needs an estimate of the number of groups, which it lacks for an expression. #}
{% set counted_alone = not (rendering.readers("lists") | reject("in", ["served"]) | list) and not inputs.modelled %}
{% set user = sql.not_narrowed("r.user_id") if counted_alone else "r.user_id" %}
{% if rendering.listed %}
select
    r.model,
    r.user_id,
    max({{ sql.length("r.items") }}) as last_rank,
    cast(sum({{ sql.length("r.items") }}) as bigint) as returned
from given_lists as r
where {{ sql.length("r.items") }} > 0
group by r.model, r.user_id
{% else %}
select
    r.model,
    {{ user }}{{ " as user_id" if user != "r.user_id" }},
{% if rendering.reads("n.last_rank") %}
    max({{ by_rank.then("r.rank") }}) as last_rank,
{% endif %}
{% if rendering.reads("n.ranks") %}
    bit_xor({{ sql.salted_hash(by_rank.then("try_cast(r.rank as bigint)")) }}) as ranks,
{% endif %}
    count(*) as returned
from given_recs as r
group by r.model, {{ user }}
{% endif %}
