{#
row = "one row per user in the sample; NULL user ids stay in, so that the checks find them"
plain_row = "one row per user in the sample"
also = "item"
sized = true

[options.sample]
about = "the share of users to evaluate, chosen by a hash of the user id: the same users on every engine"
topic = "population"
default = 1
type = "number"
above = 0
at_most = 1
#}
select distinct a.user_id
from (
{% for role in ["recs", "truth", "users"] | select("in", tables) %}
    select g.user_id
    from (
        {{ tables[role].select | indent(8) }}
    ) as g
{% if not loop.last %}
    union all
{% endif %}
{% endfor %}
) as a
where {{ "a.user_id is null or " if checked }}md5({{ sql.text("a.user_id") }}) < '{{ "%08x" | format((sample * 4294967296) | int) }}'
