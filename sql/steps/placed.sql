{#
row = "one row per list and relevant item in the list; a tied item has its best or worst possible rank"
#}
{% set moved = condition(ties="best worst") %}
{% set columns = ["copies", "truth_rank"] if rendering.reads("f.truth_rank") else ["copies"] %}
{% if not moved.certain %}
select f.model, f.user_id, f.item_id, f.rank, f.gain, f.{{ columns | join(", f.") }}
from found as f
{{ unordered().negated.where }}
{% endif %}
{{ moved.union_all }}
{% if moved.possible %}
select
    o.model,
    o.user_id,
    o.item_id,
    {{ choose("ties", worst="o.last + 1 - o.place", otherwise="o.rank - 1 + o.place") }} as rank,
    o.gain,
    o.{{ columns | join(", o.") }}
from (
    select
        f.model,
        f.user_id,
        f.item_id,
        f.rank,
        f.last,
        f.gain,
        f.{{ columns | join(", f.") }},
        row_number() over (partition by f.model, f.user_id, f.rank order by f.gain desc, f.item_id asc) as place
    from found as f
    {{ moved.where }}
) as o
{% endif %}
