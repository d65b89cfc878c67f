{#
row = "one row per user and relevant item; repeated items count once, with their highest relevance"
#}
select
    t.user_id,
    t.item_id{% if needs.truth_rank %},
    min(t.rank) as truth_rank{% endif %}{% if is_read("relevant", "gain") %},
    {{ gain_of("max(t.relevance)") | indent }} as gain{% endif %}

from given_truth as t
where {{ is_relevant() }}{{ guard("id_types", left="recs", right="truth", columns=["user_id", "item_id"]) | indent }}
group by t.user_id, t.item_id
