{#
row = "one row per pair of models, metric and cut-off: the two-sided tail of the t distribution"
grain = "pair"
#}
{% set compared %}
(
        select c.number, c.df, c.t
        from contrasts as c
        where c.t is not null
    )
{%- endset %}
{{ t_tail(compared) }}
