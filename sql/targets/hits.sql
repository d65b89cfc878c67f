{# Every recommended row in the top k, with the values of its list up to that rank. #}
select
    {{ model_of("o") }},
    {{ as_given("o.user_id") }},
    {{ as_given("o.item_id") }},
    o.rank,
    o.relevance,
    o.gain,
    o.hit,
    o.hits,
    o.hits / {{ double("o.rank") }} as precision,
    o.discount,
    o.dcg
from (
    select
{% if modelled %}
        r.model,
{% endif %}
        r.user_id,
        r.item_id,
        try_cast(r.rank as bigint) as rank,
        j.relevance,
        coalesce(h.gain, 0e0) as gain,
        h.nth is not null as hit,
        count(h.nth) over (partition by {{ model("r") }}r.user_id order by r.rank asc) as hits,
        {{ discount_at("r.rank") }} as discount,
        {{ sql.of_units("sum(" ~ sql.in_units("coalesce(h.gain, 0e0) * " ~ discount_at("r.rank")) ~ ") over (partition by " ~ model("r") ~ "r.user_id order by r.rank asc)") }} as dcg
    from recommended as r
{# In a macro, max gives a row even without a cut-off: with no row, the join would end before the checks run. #}
    inner join {{ "(select max(c.k) as k from cutoffs as c)" if named else "cutoffs" }} as c on c.k >= r.rank
    left join hits_in_force as h
        on {{ same_model("h", "r") }}h.user_id = r.user_id and h.item_id = r.item_id and h.rank = r.rank
    left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
) as o
where {{ measurable() }}{% if only_user is not none %}

    and {{ sql.text("o.user_id") }} = {{ literal(only_user) }}{% endif %}{% if not named %}

order by {{ turn("o.model") ~ " asc nulls first, " if modelled }}o.user_id asc, o.rank asc{% endif %}

