{#
row = "one row per part and model with a list in that part"
#}
select distinct p.part, p.model
from given_parts as p
where p.has_lists
