{#
Lists that have no overlap under the options.
#}

-- name: common_copies
{#
message = "{recs}: item {item} appears more than once in the list of user {user}{model}; list it once, or choose which copy counts with duplicates='first' or 'last'"
in_macro = "{recs}: item {item} appears more than once in the list of user {user}{model}; list it once, or choose which copy counts with recsql macros --duplicates first -o FILE"
place = 5
on = ["agreements"]
when = "duplicates == 'error'"
#}
{# Copies in one list share a rank in the other. #}
select
    {{ sentence(item="c.item_id", user="c.user_id", model="coalesce(' and model ' || p.model, '')") | indent }} as message
from common_items as c
inner join model_pairs as p on p.pair = c.pair
inner join agreements as g on g.pair = c.pair and g.user_id = c.user_id and g.rank_bits < g.items
group by c.pair, p.model, c.user_id, c.item_id
having count(*) > 1
order by c.user_id asc, c.item_id asc, p.model asc nulls first
limit 1

-- name: copies_in_overlap
{#
message = "duplicates='{duplicates}': an overlap counts each item of a list once; use duplicates='first', 'last' or 'error'"
place = 1
on = ["pair_overlaps"]
when = "duplicates not in ['error', 'first', 'last']"
#}
select
    {{ sentence(duplicates="'" ~ duplicates ~ "'") | indent }} as message

-- name: no_k_of_overlap
{#
message = "{option}='k': whole lists have no k; give a k, or another {option}"
in_macro = "k: whole lists have no k, and {option} k needs one; give a number, or make a file with another --{option}"
place = 1
on = ["pair_overlaps"]
when = "uncut and (overlap__denominator == 'k' or (overlap__kind == 'truncated' and overlap__depth == 'k'))"
#}
select
    {{ sentence(option="'denominator'" if overlap__denominator == "k" else "'depth'") | indent }} as message
{% if named %}
where {{ depth }} = {{ whole }}
{% endif %}

-- name: rank_gaps_in_overlap
{#
message = "{recs}: `rank` goes up to {rank} in the list of user {user}{model}, whose length is {items}; number each list from 1 without gaps, with row_number()"
place = 7
on = ["paired_lists"]
#}
select
    {{ sentence(user="n.user_id", model="coalesce(' and model ' || n.model, '')", items="n.returned", rank="n.last_rank") | indent }} as message
from lists as n
where n.last_rank > n.returned
order by n.user_id asc, n.model asc nulls first
limit 1
