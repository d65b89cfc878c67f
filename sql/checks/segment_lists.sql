{#
message = "{table}: {column} is a LIST; give one value per row, or a table segments"
place = 2
on = ["segment_tables"]
#}
select
    {{ sentence(table="case c.role when 'recs' then " ~ tables.recs.name ~ (" else " ~ tables.truth.name if "truth" in tables else "") ~ " end", column="c.name") | indent }} as message
from segment_tables as c
where c.role <> 'segments' and {{ sql.text("c.type") }} like '%]'
limit 1
