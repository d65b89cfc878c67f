{# Who won and who lost: a row per pair of models, user, metric and cut-off. #}
select
    p.model,
    p.baseline,
    {{ as_given("s.user_id") }},
    a.metric,
    {{ as_k("s.k") }},
    {{ of_metric("s.{name}", of="a") | indent }} as value,
    {{ of_metric("s.{name}_base", of="a") | indent }} as baseline_value,
    {{ of_metric("s.{name} - s.{name}_base", of="a") | indent }} as difference,
    s.list_length,
    s.baseline_list_length,
    s.relevant{% for one in slices %},
    {{ segments_told(one) }}{% endfor %},
    a.definition
from differences as s
inner join model_pairs as p on p.pair = s.pair
{% if segmented %}
left join segment_lists as g on g.user_id = s.user_id
{% endif %}
cross join asked as a
where
    {{ measurable() }}{% if ks_differ %}

    and {{ of_metric("s.k in ({ks})", of="a") | indent }}{% endif %}{% if not keyed %}

order by p.pair asc, s.user_id asc, a.place asc, s.k asc{% endif %}

