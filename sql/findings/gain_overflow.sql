{#
about = "2 to the power of the relevance is beyond any use"
matters = "one item outweighs all others"
advice = "use gain='linear' or gain='binary', or grades of a few steps"
severity = "error"
said = "error if gain is exp2 and a relevance is above 30"
unit = "rows"
table = "truth"
column = "relevance"
when = "graded and gain in ['exp2', 'exp2_shifted']"
#}
select
    {{ sql.text("null") }} as model,
    sum(case when {{ gain_of("v.relevance") }} > 1073741823 then v.stated end) as found,
    sum(v.stated) as total,
    {{ number_told("max(v.relevance)") }} as example
from truth_values as v
{# rows #}
select v.user_id, v.item_id, v.relevance
from given_truth as v
where {{ gain_of("v.relevance") }} > 1073741823
