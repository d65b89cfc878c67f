{#
row = "one row per list and item in the list that is judged not relevant, at its best rank"
#}
{# With ties = best, the hits come first: an item that is tied with a hit has the last of their ranks. #}
select {{ model("r") }}r.user_id, r.item_id, min({{ "r.last" if ties == "best" else "r.rank" }}) as rank
from recommended as r
inner join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
where not ({{ is_relevant("j.relevance") }})
group by {{ model("r") }}r.user_id, r.item_id
