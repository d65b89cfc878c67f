{#
row = "one row per pair of models: the counts of the report of both, and the number of users with truth who have a list of both"
grain = "pair"
#}
{% if parts %}
select
    m.model,
    m.baseline,
{% for name in pair_counts %}
    {{ "max" if "longest" in name else "cast(sum" }}(n.{{ name }}{{ ")" if "longest" in name else ") as bigint)" }} as {{ name }}{{ "," if not loop.last }}
{% endfor %}
from (
    select p.pair, p.part{% for name in pair_counts %}, max(p.{{ name }}) as {{ name }}{% endfor %}

    from pairs_of_parts as p
    group by p.pair, p.part
) as n
inner join model_pairs as m on m.pair = n.pair
group by m.model, m.baseline
{% else %}
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
{% endif %}
