{#
about = "the mean of 1 / rank at which a reader of the ideal list stops: the k relevant items with the highest grades"
over = "user"
made_with = "gain_of"
empty = "0e0"
needs = ["gains", "ideals"]

[joins]
ideals = "left join ideals as i on i.user_id = u.user_id"
#}
{{ sql.mean_stop(sql.first("i.gains", "u.k"), stop_chance("g")) }}
{# over two lists #}
{% set gains = "list_sort(list_filter(l.gains, lambda g: g is not null), 'DESC')" if in_order else "l.gains" %}
{{ sql.mean_stop(gains ~ "[:l.k]", stop_chance("g")) }}
