{#
row = "one row: the end of train in its further split"
grain = "interaction"
#}
{% if named %}
{{ cuts_of_macro(again=true) }}
{% elif cut is not none %}
select c.cut{% if gap is not none %} - {{ gap }}{% endif %} - {{ split__window if split__window is not none else "null" }} as cut
from cuts as c
{% else %}
select (
    {{ cut_by_fraction(rows="parted", again=true) | indent }}
) as cut
{% endif %}
