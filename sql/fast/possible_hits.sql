{#
row = "one row per possibly relevant recommended item: the user's masks have its bits, or it was found in a LIST"
before = "found"
buys = "six metrics of 50 million rows take 3.6 CPU seconds instead of 4.0, as few recommended items are joined with the truth; a billion rows do not spill"
inline = true
sized = true
#}
{% if listed %}
{# A search in a LIST costs its length for each relevant item. If a user has many, the items of the LIST are looked up instead. #}
{% set few = 20 %}
{% set items = "r.items" if needs.whole_list else sql.first("r.items", depth) %}
select {{ model("o") }}o.user_id, o.item_id, {{ sql.places_of("o.item_id", "o.items", "o.rank", "o.back") }} as rank
from (
    select
{% if modelled %}
        l.model,
{% endif %}
        l.user_id,
        t.item_id,
        l.items,
        {{ sql.place_in("l.items", "t.item_id") }} as rank,
        {{ sql.place_in("l.turned", "t.item_id") }} as back
    from (
        select {{ model("r") }}r.user_id, {{ items }} as items, {{ sql.turned(items) }} as turned
        from given_lists as r
    ) as l
    inner join fingerprints as f on f.user_id = l.user_id and f.stated <= {{ few }}
    inner join relevant as t on t.user_id = l.user_id
) as o
where o.rank is not null
union all
select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.last" if unordered }}
from (
    select {{ model("r") }}r.user_id, {{ sql.items_of(items) }}
    from given_lists as r
    inner join fingerprints as f on f.user_id = r.user_id and f.stated > {{ few }}
{% else %}
select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.last" if unordered }}
from (
    select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.last" if unordered }}
    from recommended as r
{% endif %}
    union all
    select {{ "null as model, " if modelled }}t.user_id, t.item_id, null as rank{{ ", null as last" if unordered }}
    from given_truth as t
    where false
) as r
{{ bits_set() }}
