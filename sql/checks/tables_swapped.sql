{#
message = "{recs} looks like judgements, and {truth} like lists: are the tables swapped? recommendations come first"
warning = true
when = "swapped == 'score' or (swapped == 'rank' and truth_window == 'all' and ideal != 'truth_as_given')"
#}
select
    {{ sentence() | indent }} as message
{% if swapped == "score" %}
from (
    select
        count(*) as listed,
        count(case when r.score = floor(r.score) then 1 end) as whole,
        count(distinct case when r.score = floor(r.score) then r.score end) as found
    from given_recs as r
) as n
where n.listed > 0 and n.whole = n.listed and n.found <= 10
{% endif %}
