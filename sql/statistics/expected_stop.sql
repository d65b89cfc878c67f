{#
about = "the mean of 1 / rank at which a reader stops, 0 for one who reads to the end"
over = "hits"
made_with = "gain_of"
empty = "0e0"
needs = ["gains", "readings"]
#}
{{ summed("h.reached * " ~ stop_chance("h.gain") ~ " / nullif(h.rank, 0)") }}
{# over two lists #}
{% set highest = "list_max(l.gains)" %}
{% set sentence = "{truth}: gain {gain} is above that of the highest grade {most}; set err_max_grade= to that of your scale" %}
{% set reached = "coalesce(list_product(list_transform(readings[:n - 1], lambda h: 1 - h.chance)), 1e0)" %}
case
    when {{ stop_chance(highest) }} > 1 - power(2e0, -{{ err_max_grade }})
        then {{ refusal(sentence, gain=highest, most=err_max_grade) | indent(8) }}
    else list_transform(
        [list_sort(list_transform({{ hits }}, lambda h: {
            'rank': h.rank,
            'chance': {{ stop_chance("h.gain") }}
        }))],
        lambda readings: recsql.list_total(list_transform(
            readings,
            lambda h, n: {{ reached }} * h.chance / h.rank
        ))
    )[1]
end
