{#
about = "users with relevant items have no list"
matters = "under the default convention their value is 0"
advice = "give every user of the truth a list, or leave them out with no_recs='skip'"
severity = {warning = 0.05, note = 0}
unit = "users"
table = "recs"
column = "user_id"
counts = "users_without_list > 0"
#}
select
    {{ model_of("m") }},
    count(case when f.user_id is null then 1 end) as found,
    count(*) as total,
    min(case when f.user_id is null then u.id end) as example
from list_models as m
inner join user_ids as u on u.in_truth = 1
left join list_facts as f on {{ same_model("f", "m") }}f.user_id = u.id
{{ group_by_model("m") }}
{# rows #}
select {{ model("m") }}u.id as user_id
from list_models as m
inner join user_ids as u on u.in_truth = 1
left join list_facts as f on {{ same_model("f", "m") }}f.user_id = u.id
where f.user_id is null
