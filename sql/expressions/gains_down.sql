{#
about = "the gains `x` of an ideal list as columns: highest first, and these discounted in units of 1e-18"
#}
{% if needs.ideal_stop %},
    {{ sql.sorted_down(x) }} as gains{% endif %}{% if needs.idcg %},
    {{ sql.discounted(sql.sorted_down(x), discount_at) }} as weights{% endif %}
