{#
row = "one row per pair of models, metric and cut-off, with the p-value"
grain = "pair"
when = "target == 'compare'"

[options.test]
about = "the test of the difference"
topic = "comparison"
default = "t"

[options.test.values]
t = "the paired t test"
randomisation = "Fisher's randomisation test: all flips of signs with 20 users or fewer who differ, else a series for their sum; no random numbers"
wilcoxon = "Wilcoxon's signed-rank test, without users who do not differ; it tests ranks and not the mean"
sign = "the sign test: whether there are more wins than losses"

[options.alternative]
about = "what the test looks for"
topic = "comparison"
default = "two_sided"

[options.alternative.values]
two_sided = "a difference in either direction"
greater = "the model is better: difference > -margin"
less = "the model is worse: difference < -margin"
#}
select
    c.*,
{% if test == "t" %}
{# If all differences are equal, they are either 0 or certain. #}
    case
        when c.std_error = 0e0 and c.beyond = 0e0 then 1e0
{% if alternative == "two_sided" %}
        when c.std_error = 0e0 then 0e0
{% else %}
        when c.std_error = 0e0 then case when c.beyond {{ ">" if alternative == "greater" else "<" }} 0e0 then 0e0 else 1e0 end
{% endif %}
        else {{ one_sided("t.p", sign="c.beyond") | indent(8) }}
    end as p
from contrasts as c
left join t_tails as t on t.number = c.number
{% elif test == "sign" %}
    case
        when c.differing = 0e0 then 1e0
{% if alternative == "two_sided" %}
        else least(1e0, 2e0 * c.upper)
{% else %}
        when c.ahead >= c.behind then c.upper
        else 1e0 - c.upper
{% endif %}
    end as p
from (
    select
        c.*,
        case
            when c.reached > c.differing then 0e0
            when c.differing > 0e0
                then {{ half_tail("c.reached", n="c.differing") | indent(20) }}
        end as upper
    from (
        select
            c.*,
{% if alternative == "two_sided" %}
            greatest(c.ahead, c.behind) as reached
{% else %}
            case when c.ahead >= c.behind then c.ahead else c.behind + 1e0 end as reached
{% endif %}
        from (
            select
                c.*,
                c.wins + c.losses + 0e0 as differing,
                {{ "c.losses" if alternative == "less" else "c.wins" }} + 0e0 as ahead,
                {{ "c.wins" if alternative == "less" else "c.losses" }} + 0e0 as behind
            from contrasts as c
        ) as c
    ) as c
) as c
{% elif test == "wilcoxon" %}
    case
        when c.wins + c.losses = 0 then 1e0
        else {{ one_sided("least(1e0, 2e0 * c.upper)", sign="c.z") | indent(8) }}
    end as p
from (
    select
        c.*,
        {{ upper_normal("abs(c.z)") | indent(8) }} as upper
    from contrasts as c
) as c
{% else %}
    case
        when c.wins + c.losses = 0 then 1e0
        when c.exact is not null then c.exact
        when c.flip >= 0e0 then greatest(0e0, least(1e0, {{ "2e0 * " if alternative == "two_sided" }}(c.upper + c.density * c.series)))
        else greatest(0e0, least(1e0, {{ "2e0 * " if alternative == "two_sided" }}(1e0 - c.upper + c.density * c.series)))
    end as p
from (
    select
        c.*,
        {{ upper_normal("abs(c.flip)") | indent(8) }} as upper,
        exp(-c.flip * c.flip / 2e0) / 2.5066282746310002e0 as density,
        c.fourth / 24e0 * (power(c.flip, 3) - 3e0 * c.flip)
        + c.sixth / 720e0 * (power(c.flip, 5) - 1e1 * power(c.flip, 3) + 15e0 * c.flip)
        + c.fourth * c.fourth / 1152e0 * (power(c.flip, 7) - 21e0 * power(c.flip, 5) + 105e0 * power(c.flip, 3) - 105e0 * c.flip)
            as series
    from (
        select
            c.*,
{% if alternative == "two_sided" %}
            greatest(abs(c.total) - c.step, 0e0) / sqrt(c.total_squares) as flip,
{% else %}
            ({{ "-" if alternative == "less" }}c.total - c.step) / sqrt(c.total_squares) as flip,
{% endif %}
            -2e0 * c.fourths / (c.total_squares * c.total_squares) as fourth,
            16e0 * c.sixths / power(c.total_squares, 3) as sixth
        from contrasts as c
    ) as c
) as c
{% endif %}
