{#
row = "the one row: the discounts of the ranks 1, 2, ... as far down as an ideal list goes"
#}
{% set longest = "(select max(u.relevant) from users as u)" %}
{% set cut = "least(" ~ depth ~ ", " ~ longest ~ ")" %}
select {{ sql.weights(choose("ideal", constant=depth, candidates=depth, truth_uncut=longest, otherwise=cut), "i", discount("i")) }} as weights
