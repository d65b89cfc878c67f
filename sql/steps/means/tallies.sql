{#
row = "one row per model and part: the number of users in the mean, and the counts of the report"
#}
select
    {{ key_columns("a") }}a.part,
    max(a.headcount) as headcount,
    max(a.served) as served,
    max(a.users_with_truth) as users_with_truth,
    max(a.lists) as lists,
    max(a.lists_without_truth) as lists_without_truth,
    max(a.longest_list) as longest_list
from addends as a
group by {{ keys("a") }}a.part
