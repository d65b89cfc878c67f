{#
about = "the rows of `x` with `p`, the two-sided tail of the t distribution at their `t` >= 0 with `df` degrees of freedom: the incomplete beta function up to 400, above Hill 1970"
#}
{% set fraction = beta_fraction("s.place", a="s.a", b="s.b", pairs=40) %}
with sides as (
    select
        s.*,
        s.df / 2e0 as half,
        s.t * s.t as square,
        s.t * s.t * (s.df + 5e0) > 3e0 * (s.df + s.t * s.t) as is_far,
        s.t * s.t / s.df as ratio,
        48e0 * (s.df - 5e-1) * (s.df - 5e-1) as scale
    from {{ x }} as s
),

arguments as (
    select
        s.*,
        case when s.is_far then s.half else 5e-1 end as a,
        case when s.is_far then 5e-1 else s.half end as b,
        case when s.is_far then s.df else s.square end / (s.df + s.square) as place,
        case
            when s.t > 0e0
                then exp(
                    s.half * ln(s.df / (s.df + s.square)) + 5e-1 * ln(s.square / (s.df + s.square))
                    + {{ beta_constant("s.half") | indent(20) }}
                )
        end as front,
        (s.df - 5e-1) * case
            when s.ratio < 1e-4 then s.ratio * (1e0 - s.ratio * (5e-1 - s.ratio / 3e0))
            else ln(1e0 + s.ratio)
        end as h
    from sides as s
),

fractions as (
    select
        s.*,
        case when s.df <= 4e2 then s.front / (s.a * (1e0 - (s.a + s.b) * s.place / ((s.a + 1e0) * {{ fraction | indent(8) }}))) end as beta,
        (
            ((((-4e-1 * s.h - 3.3e0) * s.h - 24e0) * s.h - 85.5e0) / (8e-1 * s.h * s.h + 100e0 + s.scale) + s.h + 3e0)
            / s.scale + 1e0
        ) * sqrt(s.h) as z
    from arguments as s
)

select
    s.*,
    case
        when s.t = 0e0 then 1e0
        when s.df > 4e2
            then 2e0 * {{ upper_normal("s.z") | indent(12) }}
        when s.is_far then s.beta
        else 1e0 - s.beta
    end as p
from fractions as s
