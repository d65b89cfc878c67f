{#
row = "one row per interaction; train is split once more, into train and validation"
grain = "interaction"

[options.validation]
about = "whether train is split once more, in the same way, for a part validation"
topic = "parts"
default = "false"
where = { protocol = "temporal leave_one_out last_n last_fraction random" }

[options.validation.values]
false = "no"
true = "yes; with a cut, the validation is a window before it"
#}
select
    {{ sql.without("t", "part") }},
    case
        when t.part = 'train' then {{ part(again=true, kept="'train'", held="'validation'") | indent(8) }}
        else t.part
    end as part
from parted as t{% if timed %}

cross join validation_cuts as c{% endif %}
