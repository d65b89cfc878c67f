{#
row = "one row per pair of models with segments of fewer than min_users users: the number of these segments"
grain = "pair"
#}
select g.model, g.baseline, count(*) as segments
from (
    select distinct p.model, p.baseline, p.slice, p.segment
    from given_paired as p
    where p.slice > 0 and p.users < {{ min_users }}
) as g
group by g.model, g.baseline
