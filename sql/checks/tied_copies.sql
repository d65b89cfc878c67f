{#
message = "{recs}: item {item} appears more than once in the list of user {user}, which ties='{ties}' with duplicates='{duplicates}' does not support; list it once, or use duplicates='first'{files}"
place = 5
on = ["scored"]
when = "unordered and duplicates in ['hole', 'count', 'set']"
#}
select
    {{ sentence(item="r.item_id", user="r.user_id", ties="'" ~ ties ~ "'", duplicates="'" ~ duplicates ~ "'", files=per_file) | indent }} as message
from scored as r
group by {{ model("r") }}r.user_id, r.item_id
having count(*) > {{ "1" if duplicates == "set" or (expected and duplicates == "count" and needs.distinct_hits) else "count(distinct r.score)" }}
order by r.user_id asc, r.item_id asc
limit 1
