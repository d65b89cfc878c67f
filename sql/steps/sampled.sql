{#
row = "one row per user of the sample, NULL among them for the checks to find"
also = "item"
sized = true

[options.sample]
about = "the share of the users that is looked at, drawn by a hash of the user's id: the same users on every engine"
topic = "population"
default = 1
type = "number"
above = 0
at_most = 1
#}
{% set roles = ["recs", "truth", "users"] | select("in", inputs.tables) %}
select distinct a.user_id
from (
{% for role in roles %}
    select g.user_id
    from (
        {{ inputs.tables[role].select | indent(8) }}
    ) as g
{{ "    union all" if not loop.last }}
{% endfor %}
) as a
where a.user_id is null or md5({{ sql.text("a.user_id") }}) < '{{ "%08x" | format((rendering.sample * 4294967296) | int) }}'
