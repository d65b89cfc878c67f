{#
row = "one row per user who is an example: the gains of his relevant items, best first"
#}
{# Grouped before the profiles are joined: DuckDB would group the gains of everybody. #}
select t.user_id, {{ sql.sorted_down("t.gain") }} as gains{{ ", max(t.gain) as best_gain" if rendering.reads("g.best_gain") }}
from relevant as t
where
    exists (
        select 1
        from examples as e
        where e.user_id = t.user_id
    )
group by t.user_id
