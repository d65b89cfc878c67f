{#
row = "one row per model, user and cut-off: the sum of the novelty of its items, the number of items with one, and their mean popularity"
grain = "item"
#}
{% set one_user = "(select log2(nullif(" ~ double("n." ~ novelty_base) ~ ", 0e0)) from train_totals as n)" %}
{% set largest = "(select max(m.novelty) from item_popularities as m)" %}
{% set unseen = one_user if novelty_unseen == "one" else largest if novelty_unseen == "max" else "0e0" %}
{% set novelty = "i.novelty" if novelty_unseen == "skip" else "coalesce(i.novelty, " ~ unseen ~ ")" %}
{% set popularity = "i.popularity" if popularity_unseen == "skip" else "coalesce(i.popularity, 0)" %}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    c.k{% if needs.novelties %},
    {{ sql.exact_sum(novelty) }} as novelty,
    {{ "count(i.novelty)" if novelty_unseen == "skip" else "count(*)" }} as novelty_items{% endif %}{% if needs.popularities %},
    {{ double("sum(" ~ popularity ~ ")") }} / nullif({{ "count(i.popularity)" if popularity_unseen == "skip" else "count(*)" }}, 0) as popularity{% endif %}

from listed as r
inner join cutoffs as c on c.k >= r.rank
left join item_popularities as i on i.item_id = r.item_id
group by {{ model("r") }}r.user_id, c.k
