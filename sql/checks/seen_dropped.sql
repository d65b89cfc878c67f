{#
message = "{recs}: {found} of {rows} rows do not count, because their users have these items in {train}; later items move up"
warning = true
when = "seen == 'drop' and with_seen"
#}
select
    {{ sentence(found="n.seen", rows="n.listed") | indent }} as message
from (
    select count(*) as listed, count(s.item_id) as seen
    from given_recs as r
    left join seen_items as s on s.user_id = r.user_id and s.item_id = r.item_id
) as n
where n.seen > 0
