{# A comparison: a row per pair of models, metric and cut-off. #}
select
    c.model,
    c.baseline,
{% if pairs_sliced %}
    {{ name_of_slice("c.slice") }} as slice,
    c.segment,
{% endif %}
    c.metric,
    {{ as_k("c.k") }},
    c.users,
{% if pairs_sliced %}
    {{ double("c.users") }} / max(case when c.slice = 0 and c.users > 0 then c.users end) over (partition by c.model, c.baseline, c.place, c.k) as share,
{% endif %}
    c.unpaired,
    c.value,
    c.baseline_value,
    c.difference,
    c.low,
    c.high,
    c.std_error,
    c.p,
    c.p_adjusted,
    case when c.p is not null then c.tests end as tests,
    case
        when c.users > 0 and c.wins + c.losses = 0 then 'same'
        when c.difference is null or c.p is null then 'untested'
        when not c.p_adjusted < round(1e0 - {{ interval }}, 12) then 'inconclusive'
{% if test in ["wilcoxon", "sign"] %}
{% if alternative != "less" %}
        when c.difference > 0e0 and c.wins > c.losses then 'higher'
{% endif %}
{% if alternative != "greater" %}
        when c.difference < 0e0 and c.wins < c.losses then 'lower'
{% endif %}
        else 'differs'
{% else %}
{% if margin is string or margin > 0 %}
        when c.beyond > 0e0 and {{ margin }} > 0 then 'not_lower'
{% endif %}
{% if margin is string or margin < 0 %}
        when c.beyond < 0e0 and {{ margin }} < 0 then 'not_higher'
{% endif %}
        when c.beyond > 0e0 then 'higher'
        else 'lower'
{% endif %}
    end as verdict,
    c.wins,
    c.users - c.wins - c.losses as ties,
    c.losses,
    c.effect,
    c.detectable,
    c.relative,
    c.relative_low,
    c.relative_high,
    {{ "case when c.groups is not null then c.users < 200 else " if jackknifed }}{{ "c.clusters < 40" if clustered else "c.users < 50" }} or c.wins + c.losses < 20{{ " end" if jackknifed }} as few{% if contributions == "true" %},
    x.contribution,
    x.of_difference,
    x.excess,
    x.q,
    x.q_p{% endif %}{% if test in ["wilcoxon", "randomisation"] %},
    coalesce(c.p_method, 'exact') as p_method{% endif %}{% if not named %},
    c.definition{% endif %}{% if small and not named %},
    coalesce(g.segments, 0) as segments_left_out{% endif %}{% for name in pair_counts %},
    c.{{ name }}{% endfor %}{% if pairs_reported %},
    (select w.message from warnings as w) as warning{% endif %}

from paired_intervals as c
{% if contributions == "true" %}
inner join contributions as x on x.number = c.number
{% endif %}
{% if small and not named %}
left join small_segments as g on g.model is not distinct from c.model and g.baseline is not distinct from c.baseline
{% endif %}
order by c.number asc
