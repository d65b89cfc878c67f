{#
row = "one row per model: users with truth, lists, and lists without truth"
#}
select
    m.model,
    (select count(*) from fingerprints as f) as users_with_truth,
    coalesce(v.lists, 0) as lists,
    coalesce(v.lists - v.with_truth, 0) as lists_without_truth
from models as m
left join served as v on v.model is not distinct from m.model
