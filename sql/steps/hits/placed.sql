{#
row = "one row per list and relevant item in the list; a tied item has its best or worst possible rank"
#}
select
{% if modelled %}
    o.model,
{% endif %}
    o.user_id,
    {{ read_of("placed", ["o.item_id", ("o.last + 1 - o.place" if ties == "worst" else "o.rank - 1 + o.place") ~ " as rank", "o.gain", "o.copies"]) }}{{ ", o.truth_rank" if needs.truth_rank }}
from (
    select
{% if modelled %}
        f.model,
{% endif %}
        f.user_id,
        f.item_id,
        f.rank,
        f.last,
        f.gain,
{% if is_read("placed", "copies") %}
        f.copies,
{% endif %}
{% if needs.truth_rank %}
        f.truth_rank,
{% endif %}
        row_number() over (partition by {{ model("f") }}f.user_id, f.rank order by f.gain desc, f.item_id asc) as place
    from found as f
) as o
