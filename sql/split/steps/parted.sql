{#
row = "one row per interaction, in each fold, with its part"
grain = "interaction"
#}
select
    t.*,
{% if in_folds %}
    c.fold,
{% endif %}
    {{ part(again=false, kept="'train'", held="'truth'") | indent }} as part
from {{ split_input() }} as t{% if timed or in_folds %}

cross join cuts as c{% endif %}
