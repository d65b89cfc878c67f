{#
row = "one row per pair of models with a segment, cut-off and user: the same as differences; the number of both is the pair"
grain = "pair"
kept = true
#}
select
    p.number as pair,
    d.user_id,
    d.k{% for column in user_columns %},
    d.{{ column.name }},
    d.{{ column.name }}_base,
    d.{{ column.name }}_unpaired{% endfor %}

from differences as d
{{ with_segments("d") }}
inner join segment_pairs as p on p.pair = d.pair and p.slice = s.slice and p.segment is not distinct from {{ segment_joined() }}
