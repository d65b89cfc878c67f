{#
row = "one row per model, metric and cut-off: the interval, and whether there are too few users to trust it"
#}
{# Rounding can take an end of Wilson's interval beyond 0 or 1. Without a standard error, the other kind has no ends. #}
select
    {{ key_columns("s") }}s.place,
{% if target == "evaluate" %}
    s.k,
{% endif %}
    case
        when s.penalty > 0e0
            then greatest(
                {{ score_interval("s.value", p="s.penalty", sign="-") }},
                0e0
            )
        when s.margin is not null and not s.is_scored then greatest(s.value - s.margin, s.least)
    end as low,
    case
        when s.penalty > 0e0
            then least(
                {{ score_interval("s.value", p="s.penalty", sign="+") }},
                1e0
            )
        when s.margin is not null and not s.is_scored then least(s.value + s.margin, s.most)
    end as high,
    s.std_error,
    s.few
from (
    select
        p.*,
        q.quantile * nullif(p.std_error, 0e0) as margin,
        case when p.is_scored then q.quantile * q.quantile / nullif(p.effective_users, 0e0) end as penalty
    from spreads as p
    left join quantiles as q on q.df is not distinct from p.df
) as s
