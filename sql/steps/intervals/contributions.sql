{#
row = "one row per pair of models, segment, metric and cut-off: what it contributes to the difference, and how far the segments of its slice differ"
grain = "pair"

[options.contributions]
about = "which segments explain the difference: the contribution and excess of each, and Cochran's Q of its slice"
topic = "comparison"
default = "false"

[options.contributions.values]
false = "without"
true = "with the columns contribution, of_difference, excess, q and q_p"
#}
{# Q follows chi-squared. Segments without a standard error don't count, and fewer than two are not tested. #}
{% set whole = "partition by c.model, c.baseline, c.place, c.k" %}
{% set slice = "partition by c.model, c.baseline, c.slice, c.place, c.k order by c.number asc rows between unbounded preceding and unbounded following" %}
select
    x.number,
    x.share,
    x.contribution,
    x.contribution / nullif(x.whole, 0e0) as of_difference,
    x.excess,
    x.q,
    case
        when x.tested > 1
            then {{ chi_squared_tail("x.q", df="(x.tested - 1)") | indent(12) }}
    end as q_p
from (
    select
        c.number,
        c.share,
        c.whole,
        c.share * c.difference as contribution,
        c.share * (c.difference - c.whole) as excess,
        case
            when c.slice > 0
                then sum(c.weight * power(c.difference - c.middle, 2)) over ({{ slice }})
        end as q,
        case when c.slice > 0 then count(c.weight) over ({{ slice }}) end as tested
    from (
        select
            c.*,
            sum(c.weight * c.difference) over ({{ slice }}) / sum(c.weight) over ({{ slice }}) as middle
        from (
            select
                c.*,
                {{ double("c.users") }} / max(case when c.slice = 0 and c.users > 0 then c.users end) over ({{ whole }}) as share,
                max(case when c.slice = 0 then c.difference end) over ({{ whole }}) as whole,
                1e0 / nullif(c.std_error * c.std_error, 0e0) as weight
            from paired_intervals as c
        ) as c
    ) as c
) as x
