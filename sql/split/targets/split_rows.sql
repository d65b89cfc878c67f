{# The same after the checks, for the counts: the part of unused truth is the reason. #}
select {{ sql.without("t", "row_place") if by_row else "t.*" }}
from {{ split_result() }} as t
