{#
Distributions: tails and quantiles of the normal, t, chi-squared and binomial distributions, in plain SQL.
#}

-- name: upper_normal
{#
about = "the upper tail of the normal distribution at `x` >= 0: Hart's rational form as in West 2005, beyond 7.07 a continued fraction"
#}
case
    when {{ x }} < 7.07106781186547e0
        then exp(-{{ x }} * {{ x }} / 2e0) * {{ sql.polynomial(x, ["3.52624965998911e-2", "7.00383064443688e-1", "6.37396220353165e0", "3.3912866078383e1", "1.12079291497871e2", "2.21213596169931e2", "2.20206867912376e2"]) | indent(8) }} / {{ sql.polynomial(x, ["8.83883476483184e-2", "1.75566716318264e0", "1.6064177579207e1", "8.67807322029461e1", "2.96564248779674e2", "6.37333633378831e2", "7.93826512519948e2", "4.40413735824752e2"]) | indent(8) }}
    when {{ x }} < 3.8e1
        then exp(-{{ x }} * {{ x }} / 2e0) / 2.5066282746310002e0
        / ({{ x }} + 1e0 / ({{ x }} + 2e0 / ({{ x }} + 3e0 / ({{ x }} + 4e0 / ({{ x }} + 5e0 / ({{ x }} + 6e0 / ({{ x }} + 7e0 / ({{ x }} + 8e0 / ({{ x }} + 6.5e-1)))))))))
    else 0e0
end

-- name: normal_quantile
{#
about = "the normal quantile of the upper tail `x` <= 1/2, where `r` is 0.180625 - (1/2 - x)^2 for x > 0.075, else sqrt(-ln(x)): Wichura 1988, AS 241"
#}
{% set near = sql.polynomial(r, ["2.5090809287301226727e3", "3.3430575583588128105e4", "6.7265770927008700853e4", "4.5921953931549871457e4", "1.3731693765509461125e4", "1.9715909503065514427e3", "1.3314166789178437745e2", "3.3871328727963666080e0"]) %}
{% set below_near = sql.polynomial(r, ["5.2264952788528545610e3", "2.8729085735721942674e4", "3.9307895800092710610e4", "2.1213794301586595867e4", "5.3941960214247511077e3", "6.8718700749205790830e2", "4.2313330701600911252e1", "1e0"]) %}
{% set far = "(" ~ r ~ " - 1.6e0)" %}
{% set further = "(" ~ r ~ " - 5e0)" %}
case
    when {{ x }} > 7.5e-2
        then (5e-1 - {{ x }}) * {{ near | indent(8) }} / {{ below_near | indent(8) }}
    when {{ r }} <= 5e0
        then {{ sql.polynomial(far, ["7.74545014278341407640e-4", "2.27238449892691845833e-2", "2.41780725177450611770e-1", "1.27045825245236838258e0", "3.64784832476320460504e0", "5.76949722146069140550e0", "4.63033784615654529590e0", "1.42343711074968357734e0"]) | indent(8) }} / {{ sql.polynomial(far, ["1.05075007164441684324e-9", "5.47593808499534494600e-4", "1.51986665636164571966e-2", "1.48103976427480074590e-1", "6.89767334985100004550e-1", "1.67638483018380384940e0", "2.05319162663775882187e0", "1e0"]) | indent(8) }}
    else
        {{ sql.polynomial(further, ["2.01033439929228813265e-7", "2.71155556874348757815e-5", "1.24266094738807843860e-3", "2.65321895265761230930e-2", "2.96560571828504891230e-1", "1.78482653991729133580e0", "5.46378491116411436990e0", "6.65790464350110377720e0"]) | indent(8) }} / {{ sql.polynomial(further, ["2.04426310338993978564e-15", "1.42151175831644588870e-7", "1.84631831751005468180e-5", "7.86869131145613259100e-4", "1.48753612908506148525e-2", "1.36929880922735805310e-1", "5.99832206555887937690e-1", "1e0"]) | indent(8) }}
end

-- name: t_tail
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
        (s.df - 5e-1) * {{ ln_beyond_one("s.ratio") | indent(8) }} as h
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

-- name: t_quantile
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

-- name: users_to_show
{#
about = "how many users show a difference `x` whose values have the standard deviation `deviation`, at the normal quantiles `z` of the test and `w` of its power: Guenther 1981"
#}
greatest(ceil(power(({{ z }} + {{ w }}) * {{ deviation }} / {{ x }}, 2) + {{ z }} * {{ z }} / 2e0 - 1e-9), 2e0)

-- name: ln_beyond_one
{#
about = "ln(1 + `x`) for `x` >= 0, as exact where `x` is small"
#}
case
    when {{ x }} < 1e-4 then {{ x }} * (1e0 - {{ x }} * (5e-1 - {{ x }} / 3e0))
    else ln(1e0 + {{ x }})
end

-- name: beta_fraction
{#
about = "the continued fraction of the incomplete beta function of `a`, `b` at `x`, but for its first step, in `pairs` pairs from the far end"
#}
{% set step %}
1e0 + m * ({{ b }} - m) * {{ x }} / (({{ a }} + 2e0 * m - 1e0) * ({{ a }} + 2e0 * m))
    / (1e0 - ({{ a }} + m) * ({{ a }} + {{ b }} + m) * {{ x }} / (({{ a }} + 2e0 * m) * ({{ a }} + 2e0 * m + 1e0)) / f)
{% endset %}
{{ sql.fold("f", "m", pairs, step | trim) }}

-- name: beta_constant
{#
about = "ln of Gamma(x + 1/2) / (Gamma(x) Gamma(1/2)): Stirling's series ten places up, and ten factors back"
#}
{% set up = "(" ~ x ~ " + 1e1)" %}
5e-1 * ln({{ up }}) - 1e0 / (8e0 * {{ up }}) + 1e0 / (192e0 * power({{ up }}, 3)) - 1e0 / (640e0 * power({{ up }}, 5))
+ 17e0 / (14336e0 * power({{ up }}, 7)) - 31e0 / (18432e0 * power({{ up }}, 9)) - 5.723649429247001e-1
+ ln(
{% for i in range(10) %}
    {{ "* " if i }}({{ x }} + {{ i }}e0) / ({{ x }} + {{ i }}.5e0)
{% endfor %}
)

-- name: stirling_error
{#
about = "ln(`x`!) less Stirling's formula (x + 1/2) ln(x) - x + ln(2 pi) / 2, for whole numbers `x` > 0: Loader 2000"
#}
{% macro series(z) %}(1e0 / 12e0 - (1e0 / 360e0 - (1e0 / 1260e0 - (1e0 / 1680e0 - 1e0 / (1188e0 * {{ z }} * {{ z }})) / ({{ z }} * {{ z }})) / ({{ z }} * {{ z }})) / ({{ z }} * {{ z }})) / {{ z }}{% endmacro %}
{% set far = "(" ~ x ~ " + 16e0)" %}
case
    when {{ x }} >= 16
        then {{ series(x) }}
    else
        {{ series(far) }} + ({{ x }} + 16.5e0) * ln({{ x }} + 16e0) - ({{ x }} + 5e-1) * ln({{ x }}) - 16e0
        - ln({% for i in range(1, 17) %}{{ " * " if i > 1 }}({{ x }} + {{ i }}e0){% endfor %})
end

-- name: half_tail
{#
about = "the chance of at least `x` heads in `n` tosses of a fair coin, for `x` >= `n` / 2"
#}
{# The chance of x heads, by Loader 2000, times the sum of the ratios of the further terms to it, which fall fast. #}
case
    when {{ x }} = {{ n }} then exp(-{{ n }} * 6.931471805599453e-1)
    else
        exp(
            {{ stirling_error(n) | indent(12) }}
            - {{ stirling_error(x) | indent(12) }}
            - {{ stirling_error("(" ~ n ~ " - " ~ x ~ ")") | indent(12) }}
            - {{ x }} * ln(2e0 * {{ x }} / {{ n }}) - ({{ n }} - {{ x }}) * ln(2e0 * ({{ n }} - {{ x }}) / {{ n }})
        )
        * sqrt({{ n }} / (6.283185307179586e0 * {{ x }} * ({{ n }} - {{ x }})))
        * {{ sql.fold("f", "m", "cast(least(" ~ n ~ " - " ~ x ~ ", 40e0 + 5e0 * sqrt(" ~ n ~ ")) as bigint)", "1e0 + f * (" ~ n ~ " - " ~ x ~ " - m + 1e0) / (" ~ x ~ " + m)") | indent(8) }}
end

-- name: chi_squared_tail
{#
about = "the upper tail of the chi-squared distribution with `df` = 1, 2, 3, ... degrees of freedom at `x` >= 0: the finite sum of Abramowitz and Stegun 26.4.4 and 26.4.5"
#}
{% macro series(further) %}exp(-{{ x }} / 2e0) * case when {{ df }} < 4 then 1e0 else {{ sql.fold("f", "m", "cast(floor(" ~ df ~ " / 2e0) as bigint) - 1", "1e0 + f * " ~ x ~ " / (2e0 * m" ~ further ~ ")") | indent(4) }} end{% endmacro %}
case
    when {{ df }} % 2 = 0
        then {{ series("") }}
    else
        2e0 * {{ upper_normal("sqrt(" ~ x ~ ")") | indent(8) }}
        + case when {{ df }} > 1 then sqrt(2e0 * {{ x }} / 3.141592653589793e0) * {{ series(" + 1e0") }} else 0e0 end
end

-- name: score_interval
{#
about = "the lower (`sign` -) or upper (+) end of Wilson's interval of a mean `x` of values between 0 and 1; `p` is quantile^2 / users"
also = "item rating"

[options.interval]
about = "adds an interval to each value; over many samples of users, this share of intervals covers the value for all users"
topic = "intervals"
type = "number"
above = 0.5
below = 1
alone = 0.95

[options.interval_method]
about = "how the interval is computed"
topic = "intervals"
default = "auto"

[options.interval_method.values]
auto = "wilson for means of values between 0 and 1, t for other means, groups for metrics that are not means"
wilson = "Wilson's score interval, which stays between 0 and 1; its number of users follows from the variance"
t = "the mean and its standard error, with the quantile of the t distribution"
groups = "the value without each of several groups of users (jackknife); metrics that are not means have this under every method"

[options.groups]
about = "the number of groups of users, for intervals of metrics that are not means; at most as many as users"
topic = "intervals"
default = 64
type = "integer"
at_least = 8
at_most = 1024
#}
({{ x }} + {{ p }} / 2e0 {{ sign }} sqrt(greatest({{ x }} * (1e0 - {{ x }}), 0e0) * {{ p }} + {{ p }} * {{ p }} / 4e0)) / (1e0 + {{ p }})

-- name: reaches
{#
about = "1 if the sum `x` of flipped differences reaches the sum of the row `u`, up to rounding; else NULL"
grain = "pair"
#}
case when {% if alternative == "greater" %}{{ x }} >= u.total{% elif alternative == "less" %}-{{ x }} >= -u.total{% else %}abs({{ x }}) >= abs(u.total){% endif %} - 1e-9 * u.sum then 1 end

-- name: outcome_of
{#
about = "what a row `c` of a comparison, whose verdict is `x`, shows about the model: pass, fail or unclear"
grain = "pair"

[options.outcome]
about = "says what each row is to a gate that no worse model passes; with greater, that only better models pass"
topic = "comparison"
default = "false"
where = { alternative = "greater less", test = "t" }

[options.outcome.values]
false = "without"
true = "with the column outcome: pass, fail or unclear. What the test looks for is corrected, the opposite is not"
#}
{# The opposite has the other tail of the same test. All rows have to pass, so that needs no correction (Berger 1982). Equal differences have no p. With many looks, p on the other side is 1, and the interval tells. #}
{% set otherwise = "(c.p is null or (c.p = 1e0 and abs(c.beyond) > c.margin))" if looks == "many" else "1e0 - coalesce(c.p, 1e0) < round(1e0 - " ~ interval ~ ", 12)" %}
{% set shown, opposite = ("fail", "pass") if alternative == "less" else ("pass", "fail") %}
case
    when {{ x }} in ({{ "'lower', 'not_higher'" if alternative == "less" else "'higher', 'not_lower'" }}) then '{{ shown }}'
    when {{ x }} != 'untested' and {{ otherwise }} and abs(c.beyond) > 1e-12 then '{{ opposite }}'
    else 'unclear'
end
