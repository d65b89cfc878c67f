{#
message = "{column} is {in_recs} in {recs} and {in_truth} in {truth}; cast one of them to the other's type"
#}
{% if inputs.named and "recs" in inputs.tables %}
select
    {{ sentence(column="i.name", in_recs="i.in_recs", in_truth="i.in_truth") }} as message
from (
    select unnest(['user_id', 'item_id']) as name, unnest(r.types) as in_recs, unnest(t.types) as in_truth
    from (select [typeof(r.user_id), typeof(r.item_id)] as types from given_recs as r limit 1) as r
    cross join (select [typeof(t.user_id), typeof(t.item_id)] as types from given_truth as t limit 1) as t
) as i
where
    regexp_replace(i.in_recs, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER') <> regexp_replace(i.in_truth, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$', 'INTEGER')
    and '"NULL"' not in (i.in_recs, i.in_truth)
limit 1
{% endif %}
