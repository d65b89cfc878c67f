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
{# The level quick only tells whether the first rank has the best score; full also whether the top k is in the order of its scores. #}
{% set against = "f.first_score < f.best" ~ (" or s.user_id is not null" if full else "") %}
select
    {{ model_of("f") }},
    count(case when {{ against }} then 1 end) as found,
    count(*) as total,
    min(case when {{ against }} then f.user_id end) as example
from list_facts as f
{% if full %}
left join (
    select distinct {{ model("s") }}s.user_id
    from (
        select
            {{ model("r") }}r.user_id,
            {{ score_down("r.score") }} as score,
            lag({{ score_down("r.score") }}) over (partition by {{ model("r") }}r.user_id order by r.place asc) as score_above
        from list_items as r
        where r.place <= {{ depth }}
    ) as s
    where s.score > s.score_above
) as s on {{ same_model("s", "f") }}s.user_id = f.user_id
{% endif %}
where f.scores > 1
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
