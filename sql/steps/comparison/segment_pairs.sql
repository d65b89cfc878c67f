{#
row = "one row per pair of models, slice and segment with users"
grain = "pair"
#}
select
    row_number() over (order by d.pair asc, d.slice asc, d.segment asc) as number,
    d.pair,
    d.slice,
    d.segment
from (
    select distinct
        d.pair,
        s.slice,
        {{ segment_joined() }}{{ " as segment" if by_activity }}
    from differences as d
    {{ with_segments("d") | indent }}
) as d
