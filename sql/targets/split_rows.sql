{# The same, with the reason why truth is unused as its part, for the counts. #}
select {{ sql.without("t", "row_place") if by_row else "t.*" }}
from {{ "targeted" if split__target != "all" else "known" if dropped else "validated" if validation == "true" else "parted" }} as t
where {{ measurable() }}
