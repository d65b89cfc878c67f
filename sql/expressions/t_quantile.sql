{#
about = "the rows of `x` with `quantile`, at which the t distribution with `df` degrees of freedom has the two-sided `tail` < 1/2; df is NULL for the normal distribution"
#}
with logarithms as (
    select
        s.tail,
        s.df,
        s.half,
        case when s.tail > 1.5e-1 then 1.80625e-1 - power(5e-1 - s.tail / 2e0, 2) else sqrt(-ln(s.tail / 2e0)) end as r,
        {{ beta_constant("s.half") | indent(8) }} as constant
    from (select d.tail, d.df, d.df / 2e0 as half from {{ x }} as d) as s
),

normal as (
    select
        s.tail,
        s.df,
        s.half,
        s.constant,
        {{ normal_quantile("s.tail / 2e0", r="s.r") | indent(8) }} as z
    from logarithms as s
),

{# Cornish and Fisher 1938; for few degrees of freedom, the power that the tail comes near to. #}
newton_0 as (
    select
        s.tail,
        s.df,
        s.half,
        s.constant,
        case
            when s.df is null then s.z
            when s.df < 1e1 and s.tail < 1e-1
                then sqrt(s.df * (power(s.tail * s.df / (2e0 * exp(s.constant)), -2e0 / s.df) - 1e0))
            else
                s.z + (power(s.z, 3) + s.z) / (4e0 * s.df)
                + (5e0 * power(s.z, 5) + 16e0 * power(s.z, 3) + 3e0 * s.z) / (96e0 * power(s.df, 2))
                + (3e0 * power(s.z, 7) + 19e0 * power(s.z, 5) + 17e0 * power(s.z, 3) - 15e0 * s.z) / (384e0 * power(s.df, 3))
                + (79e0 * power(s.z, 9) + 776e0 * power(s.z, 7) + 1482e0 * power(s.z, 5) - 1920e0 * power(s.z, 3) - 945e0 * s.z)
                / (92160e0 * power(s.df, 4))
        end as quantile
    from normal as s
),

{# Newton's steps on the logarithm of the tail; `mills` is the tail divided by twice the density. #}
{% for i in range(3) %}
mills_{{ i }} as (
    select
        s.*,
        case
            when s.df <= 4e2
                then s.quantile / (s.df * (1e0 - (s.df + 1e0) / (s.df + 2e0) * s.place / {{ beta_fraction("s.place", a="s.half", b="5e-1", pairs=60) | indent(16) }}))
        end as mills
    from (select n.*, n.df / (n.df + n.quantile * n.quantile) as place from newton_{{ i }} as n) as s
),

newton_{{ i + 1 }} as (
    select
        s.tail,
        s.df,
        s.half,
        s.constant,
        case
            when s.df <= 4e2
                then s.quantile + s.mills * (s.constant + s.half * ln(s.place) - 5e-1 * ln(s.df / s.place) + ln(2e0 * s.mills) - ln(s.tail))
            else s.quantile
        end as quantile
    from mills_{{ i }} as s
){{ "," if i < 2 }}

{% endfor %}
select s.tail, s.df, s.quantile
from newton_3 as s
