{#
about = "the lists and the truth have no user in common"
matters = "every value is 0"
advice = "compare how both tables write the ids: case, spaces, leading zeros, types"
severity = "error"
unit = "users"
table = "truth"
column = "user_id"
counts = "users_without_list == users_with_truth"
#}
{{ no_common_ids(ids="user_ids") }}
{# rows #}
select i.id as user_id
from user_ids as i
where i.in_truth = 1 and i.in_recs = 0
