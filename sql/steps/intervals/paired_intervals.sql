{#
row = "one row per pair of models, metric and cut-off: the interval of the difference, the effect size, and the smallest difference that the test would find"
grain = "pair"

[options.effect]
about = "the effect size: the mean difference divided by the standard deviation of the differences"
topic = "comparison"
default = "cohen"

[options.effect.values]
cohen = "as it is (Cohen 1988)"
hedges = "corrected for few users (Hedges 1981)"

[options.power]
about = "the chance with which the test would find a difference as large as `detectable`"
topic = "comparison"
type = "number"
default = 0.8
above = 0.5
below = 1
#}
{# The relative difference needs a baseline that is clearly above 0. #}
select
    s.*,
    s.difference - s.margin as low,
    s.difference + s.margin as high,
    s.difference / nullif(s.deviation, 0e0){% if effect == "hedges" %} * (1e0 - 3e0 / (4e0 * s.users - 5e0)){% endif %} as effect,
    s.margin + s.power_quantile * nullif(s.std_error, 0e0) as detectable,
    s.relative - s.relative_margin as relative_low,
    s.relative + s.relative_margin as relative_high
from (
    select
        r.*,
        r.quantile * nullif(r.std_error, 0e0) as margin,
{% if clustered %}
        r.quantile * sqrt(
            greatest(r.cluster_squares - 2e0 * r.relative * r.base_cluster_products + r.relative * r.relative * r.base_cluster_squares, 0e0)
            * r.clusters / nullif(r.clusters - 1e0, 0e0)
        ) / nullif(r.users * r.baseline_value, 0e0) as relative_margin
{% else %}
        r.quantile * sqrt(
            greatest(r.moment - 2e0 * r.relative * r.cross_moment + r.relative * r.relative * r.base_moment, 0e0)
            / nullif(r.users - 1e0, 0e0)
        ) / nullif(r.baseline_value, 0e0) as relative_margin
{% endif %}
    from (
        select
            c.*,
            q.quantile,
            z.quantile as power_quantile,
            sqrt(c.variance * c.users / nullif(c.users - 1e0, 0e0)) as deviation,
            case
                when c.users > 1 and c.baseline_value > 0e0 and (c.users + 8e0) * c.baseline_value * c.baseline_value >= 9e0 * c.base_moment
                    then c.difference / c.baseline_value
            end as relative
        from corrections as c
        left join quantiles as q on q.df = c.df and q.tail = c.tail
        left join quantiles as z on z.df is null
    ) as r
) as s
