{#
row = "one row per pair of models: the counts of the report of both, and the number of users with truth who have a list of both"
grain = "pair"
#}
select
    p.model,
    p.baseline,
    n.users_with_truth,
    n.lists as all_lists,
    n.lists_without_truth,
    n.longest_list,
    b.users_with_truth as base_users_with_truth,
    b.lists as base_all_lists,
    b.lists_without_truth as base_lists_without_truth,
    b.longest_list as base_longest_list,
    coalesce(s.lists, 0) as shared_lists
from model_pairs as p
inner join report as n on n.model is not distinct from p.model
inner join report as b on b.model is not distinct from p.baseline
left join shared_lists as s on s.pair = p.pair
