{#
row = "one row per interaction, in each fold, with its part"
grain = "interaction"
when = "splits"
#}
select
    t.*,
{% if in_folds %}
    c.fold,
{% endif %}
    {{ part(again=false, kept="'train'", held="'truth'") | indent }} as part
from {{ "kept_interactions" if limited else "given_interactions" }} as t{% if timed or in_folds %}

cross join cuts as c{% endif %}
