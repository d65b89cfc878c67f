{#
about = "scores contradict ranks"
matters = "if the ranks are upside down or of another run, the worst items are at the top"
advice = "order the lists with rank_by='score' if the scores are right; if low scores are the better ones, as distances are, ignore this finding"
severity = {error = 0.9, warning = 0.01}
unit = "lists"
table = "recs"
column = "score"
needs = ["recs.rank", "recs.score"]
when = "by_rank"
#}
{# The level quick only tells whether the first rank has the best score. #}
{% if full %}
select
    {{ model_of("f") }},
    count(case when f.rises > 0 then 1 end) as found,
    count(*) as total,
    min(case when f.rises > 0 then f.user_id end) as example
from (
    select {{ model("s") }}s.user_id, count(case when s.score > s.above then 1 end) as rises
    from (
        select
            {{ model("r") }}r.user_id,
            r.score,
            lag(r.score) over (partition by {{ model("r") }}r.user_id order by r.place asc) as above
        from list_items as r
    ) as s
    group by {{ model("s") }}s.user_id
    having count(s.score) > 1
) as f
{% else %}
select
    {{ model_of("f") }},
    count(case when f.first_score < f.best then 1 end) as found,
    count(*) as total,
    min(case when f.first_score < f.best then f.user_id end) as example
from list_facts as f
where f.scores > 1
{% endif %}
{{ group_by_model("f") }}
{# rows #}
select s.*
from (
    select
        {{ model("r") }}r.user_id,
        r.item_id,
        r.place as rank,
        r.score,
        lag(r.score) over (partition by {{ model("r") }}r.user_id order by r.place asc) as score_above
    from list_items as r
) as s
where s.score > s.score_above
