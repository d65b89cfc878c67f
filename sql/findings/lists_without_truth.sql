{#
about = "users with a list have no relevant items"
matters = "under the default convention they are not in the mean"
advice = "count them as 0 with no_truth='zero' if they should be in the mean"
severity = "note"
unit = "lists"
table = "truth"
column = "user_id"
counts = "lists_without_truth > 0"
#}
select
    {{ model_of("f") }},
    count(case when u.in_truth = 0 then 1 end) as found,
    count(*) as total,
    min(case when u.in_truth = 0 then u.id end) as example
from list_facts as f
inner join user_ids as u on u.id = f.user_id
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items
from list_facts as f
inner join user_ids as u on u.id = f.user_id
where u.in_truth = 0
