{#
kept = true
sized = true
row = "one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows"
before = "likely_hits"
#}
{# Bloom 1970. Equal integers of different types hash differently. The empty part of the union gives ids the common type of both tables. #}
select
    t.user_id,
    bit_or({{ sql.bit("t.item_id", 1) }}) as bits,
    bit_or({{ sql.bit("t.item_id", 2) }}) as other_bits,
{% if ideals %}
    {{ sql.profile("t.relevance") }} as profile,
{% endif %}
    count(*) as stated
from (
    select t.user_id, t.item_id{{ ", t.relevance" if ideals }}
    from given_truth as t
    where {{ is_relevant() | indent }}{{ guard("id_types", left="recs", right="truth", columns=["user_id", "item_id"]) | indent(8) }}
{% if "recs" in tables %}
    union all
    select r.user_id, r.item_id{{ ", null as relevance" if ideals }}
    from given_recs as r
    where false
{% endif %}
) as t
group by t.user_id
