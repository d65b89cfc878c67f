{#
about = "recs look like judgements, and the truth like lists"
matters = "the truth is then ranked, and the lists are taken as relevant"
advice = "give the recommendations first, then the truth"
severity = "warning"
unit = "rows"
table = "recs"
when = "look_swapped or named"
#}
select {{ sql.text("null") }} as model, count(*) as found, count(*) as total, {{ sql.text("null") }} as example
from given_recs as r{% if named %}

where typeof(r.rank) = '"NULL"'
    and (
        'score' in (select n.name from likely_relevance as n) and {{ scores_are_grades() | indent(8) }}
{% if truth_window == "all" and ideal != "truth_as_given" %}
        or (
            select count(case when lower(c.name) = 'rank' then 1 end) = 1 and count(case when lower(c.name) in ('relevance', 'events') then 1 end) < 2
            from table_columns as c
            where c.role = 'truth'
        )
{% endif %}
    ){% elif swapped == "score" %}

where {{ scores_are_grades() }}{% endif %}

{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.score
from given_recs as r
