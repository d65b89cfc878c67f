{#
row = "one row per model: users with truth, lists, lists without truth, length of the longest list; of the users in the table users, if given"
#}
{% if parts %}
select
    t.model,
    cast(sum(t.users_with_truth) as bigint) as users_with_truth,
    cast(sum(t.lists) as bigint) as lists,
    cast(sum(t.lists_without_truth) as bigint) as lists_without_truth,
    max(t.longest_list) as longest_list
from tallies as t{% if sliced %}

where t.slice = 0{% endif %}

group by t.model
{% else %}
select
{% if modelled %}
    m.model,
{% endif %}
    (select count(*) from users as u{{ " inner join given_users as g on g.user_id = u.user_id" if fixed }}) as users_with_truth,
    coalesce(v.lists, 0) as lists,
    coalesce(v.lists - v.with_truth, 0) as lists_without_truth,
    coalesce(v.longest, 0) as longest_list{% if truth_counted %},
    (select count(*) from given_truth as t) - coalesce((select cast(sum(u.relevant) as bigint) from users as u), 0) as idle_truth{% endif %}

from models as m
left join served as v on {{ on_model("v", "m") }}{{ " and v.slice = 0" if served_by_segment }}
{% endif %}
