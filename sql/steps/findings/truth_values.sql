{#
row = "one row per relevance in the truth, with the number of its rows"
#}
select t.relevance, count(*) as stated
from given_truth as t
group by t.relevance
