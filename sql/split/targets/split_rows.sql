{# The same once it is checked, with the reason why truth is unused as its part, for the counts. #}
select {{ sql.without("t", "row_place") if by_row else "t.*" }}
from {{ split_result() }} as t
