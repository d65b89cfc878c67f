{#
row = "one row per pair of models, metric and cut-off, with the p-value"
grain = "pair"

[options.test]
about = "the test of the difference"
topic = "comparison"
default = "t"

[options.test.values]
t = "the paired t test"
randomisation = "Fisher's randomisation test: the share of all flips of signs that reach the sum; no random numbers"
wilcoxon = "Wilcoxon's signed-rank test, without users who do not differ, exact up to 50 users who do; it tests ranks and not the mean"
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
{# The p-value of the alternative, from the two-sided x of a statistic with this sign. #}
{% macro one_sided(x, sign) %}
{% if alternative == "two_sided" %}{{ x }}{% else %}case when {{ sign }} {{ ">" if alternative == "greater" else "<" }} 0e0 then {{ x }} / 2e0 else 1e0 - {{ x }} / 2e0 end{% endif %}
{% endmacro %}
select
    s.*,
{% if test == "t" %}
{# If all differences are equal and not 0, nothing tells how far off their mean could be. #}
    case
        when s.std_error = 0e0 and s.beyond = 0e0 then 1e0
        when s.std_error = 0e0 and s.wins + s.losses > 0 then null
{% if alternative != "two_sided" %}
        when s.std_error = 0e0 then case when s.beyond {{ ">" if alternative == "greater" else "<" }} 0e0 then 0e0 else 1e0 end
{% endif %}
        else {{ one_sided("t.p", sign="s.beyond") | indent(8) }}
    end as p
from contrasts as s
left join t_tails as t on t.number = s.number
{% elif test == "sign" %}
    case
        when s.differing = 0e0 then 1e0
{% if alternative == "two_sided" %}
        else least(1e0, 2e0 * s.upper)
{% else %}
        when s.ahead >= s.behind then s.upper
        else 1e0 - s.upper
{% endif %}
    end as p
from (
    select
        s.*,
        case
            when s.reached > s.differing then 0e0
            when s.differing > 0e0
                then {{ half_tail("s.reached", n="s.differing") | indent(20) }}
        end as upper
    from (
        select
            s.*,
{% if alternative == "two_sided" %}
            greatest(s.ahead, s.behind) as reached
{% else %}
            case when s.ahead >= s.behind then s.ahead else s.behind + 1e0 end as reached
{% endif %}
        from (
            select
                s.*,
                s.wins + s.losses + 0e0 as differing,
                {{ "s.losses" if alternative == "less" else "s.wins" }} + 0e0 as ahead,
                {{ "s.wins" if alternative == "less" else "s.losses" }} + 0e0 as behind
            from contrasts as s
        ) as s
    ) as s
) as s
{% else %}
    case
        when s.wins + s.losses = 0 then 1e0
        when s.flipped is not null then s.flipped
        else {{ one_sided("least(1e0, 2e0 * s.upper)", sign="s.z") | indent(8) }}
    end as p
from (
    select
        s.*,
        {{ upper_normal("abs(s.z)") | indent(8) }} as upper
    from contrasts as s
) as s
{% endif %}
