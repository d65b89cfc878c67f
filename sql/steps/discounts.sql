{#
row = "a single row: the discounts of the ranks 1, 2, ... up to the length of the longest ideal list"
#}
{% set longest = "(select max(u.relevant) from users as u)" %}
{% set own = "least(" ~ depth ~ ", (select max(n.hits) from (select count(*) as hits from hits as h group by h.model, h.user_id) as n))" if whole else depth %}
{% set cut = "least(" ~ depth ~ ", " ~ longest ~ ")" %}
select {{ sql.ordered_list(discount("n.i"), "n.i") }} as weights
from {{ sql.whole_numbers(1, choose("ideal", constant=deepest, candidates=own, truth_uncut=longest, otherwise=cut)) }} as n
