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
