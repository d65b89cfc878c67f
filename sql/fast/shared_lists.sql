{#
buys = "three models compared with a fourth, 20 million rows, six metrics at four cut-offs: 1.2 CPU seconds instead of 1.25"
when = "pairs_summed and pairs_reported and not parts"
#}
{# Models with lists for the same users have the same profile of users; only the users of other models are joined. #}
{% set whole = " and m.slice = 0 and b.slice = 0" if served_by_segment %}
{% set of_pair %}
from model_pairs as p
inner join served as m on m.model is not distinct from p.model
inner join served as b on b.model is not distinct from p.baseline
{%- endset %}
select p.pair, m.with_truth as lists
{{ of_pair }}
where m.profile = b.profile{{ whole }}
union all
select p.pair, count(*) as lists
from (
    select p.pair, l.user_id, count(*) as lists
    {{ of_pair | indent }}
    inner join lists as l on l.model is not distinct from p.model or l.model is not distinct from p.baseline
    where m.profile <> b.profile{{ whole }}
    group by p.pair, l.user_id
) as p
inner join users as u on u.user_id = p.user_id
{% if fixed %}
inner join given_users as c on c.user_id = p.user_id
{% endif %}
where p.lists = 2
group by p.pair
