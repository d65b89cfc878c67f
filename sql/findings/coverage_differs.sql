{#
about = "users have a list of another model, but not of this one"
matters = "each model is measured on other users, or gets 0 where another one has a list"
advice = "check that no list is missing; if that is how it is, compare on the users whom all models serve, with users='served.parquet'"
severity = {warning = 0.01, note = 0}
unit = "users"
table = "recs"
column = "user_id"
when = "modelled"
counts = "users_without_list > 0"
#}
{# Of the users with truth who have a list of any model, those without one of this model. #}
select
    m.model,
    count(case when f.user_id is null then 1 end) as found,
    count(*) as total,
    min(case when f.user_id is null then u.id end) as example
from list_models as m
inner join user_ids as u on u.in_recs = 1 and u.in_truth = 1
left join list_facts as f on {{ same_model("f", "m") }}f.user_id = u.id
group by m.model
{# rows #}
select m.model, u.id as user_id
from list_models as m
inner join user_ids as u on u.in_recs = 1 and u.in_truth = 1
left join list_facts as f on {{ same_model("f", "m") }}f.user_id = u.id
where f.user_id is null
