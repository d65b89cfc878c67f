{# The origin of a part: number of rows, a fingerprint that ignores their order, and the smallest hashes of its users, and of its clusters. #}
{% macro smallest(column, name) %}
select {{ sql.ordered_list("s.hash", "s.hash") }} as {{ name }}
from (
    select substr(md5({{ sql.text("t." ~ column) }}), 1, 16) as hash
    from given_truth as t
    where t.{{ column }} is not null
    group by t.{{ column }}
    order by hash asc
    limit 256
) as s
{% endmacro %}
select
    r.row_count,
    r.fingerprint,
    u.users{% if clustered %},
    c.clusters{% endif %}

from (
    select
        count(*) as row_count,
        {{ sql.text("sum(cast(o.hash as decimal(38, 0)))") }} as fingerprint
    from (
        select {{ sql.hash_of("'recs', r.model, r.user_id, r.item_id, r.rank, r.score") }} as hash
        from given_recs as r
        union all
        select {{ sql.hash_of("'truth', t.user_id, t.item_id, t.relevance, t.rank") }} as hash
        from given_truth as t
    ) as o
) as r
cross join (
    {{ smallest("user_id", "users") | trim | indent }}
) as u{% if clustered %}

cross join (
    {{ smallest("cluster", "clusters") | trim | indent }}
) as c{% endif %}
