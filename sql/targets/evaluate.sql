{# The means over users, with their intervals. With `counted`, also the counts of the report. #}
{% set sizes, size = ("census", "users") if user_metrics else ("list_segments", "lists") %}
{% set counts = ["n.users_with_truth", "n.lists as all_lists", "n.lists_without_truth", "n.longest_list"] + (["n.idle_truth"] if truth_counted else []) %}
{# Of the users in the mean `s` among all users `a`; of the lists `l`, if the value is not a mean. #}
{% set share = double("s.users") ~ " / nullif(a.users, 0)" %}
{% set conditions = [measurable() if checked, "(s.slice = 0 or coalesce(m." ~ size ~ ", 0) >= " ~ min_users ~ ")" if small] | select | list %}
{% if sliced %}
select
    {{ model_of("s") }},
    {{ name_of_slice("s.slice") }} as slice,
    s.segment,
    s.metric,
    {{ as_k("s.k") }},
    s.value,
    s.users,
    s.lists,
{% if item_metrics %}
    case
        when s.users is null then coalesce(l.share, 0e0)
        else {{ share }}
    end as share{% else %}
    {{ share }} as share{% endif %}{% if spread %},
    i.low,
    i.high,
    i.std_error,
    i.few{% endif %}{% if not named %},
    s.definition{% endif %}{% if counted %},
    {{ "c.users" if user_metrics else "cast(null as bigint)" }} as users_in_mean,
    {{ counts | join(",\n    ") }}{% if small %},
    (select count(*) from {{ sizes }} as f where {{ same_model("f", "s") }}f.slice > 0 and f.{{ size }} < {{ min_users }}) as segments_left_out{% endif %}{% endif %}

{% else %}
select {{ model_of("s") }}, s.metric, {{ as_k("s.k") }}, s.value, s.users, s.lists{% if spread %}, i.low, i.high, i.std_error, i.few{% endif %}{{ ", s.definition" if not named }}{% if counted %}, {{ "c.users" if user_metrics else "cast(null as bigint)" }} as users_in_mean, {{ counts | join(", ") }}{% endif %}

{% endif %}
from summary as s
{% if sliced %}
left join summary as a on {{ same_model("a", "s") }}a.slice = 0 and a.place = s.place and a.k = s.k
{% endif %}
{% if small %}
left join {{ sizes }} as m on {{ on_keys("m", "s") }}
{% endif %}
{% if sliced and item_metrics %}
left join list_segments as l on {{ on_keys("l", "s") }}
{% endif %}
{% if spread %}
inner join intervals as i on {{ same_keys("i", "s") }}i.place = s.place and i.k = s.k
{% endif %}
{% if counted %}
left join report as n on {{ on_model("n", "s") }}
{% if user_metrics %}
left join census as c on {{ on_model("c", "s") }}{{ " and c.slice = 0" if sliced }}
{% endif %}
{% endif %}
{% if conditions %}
where {{ conditions | join(" and ") }}
{% endif %}
{% if sliced %}
order by
{% if modelled %}
    {{ turn("s.model") }} asc nulls first,
{% endif %}
    s.slice asc,
    {{ order_of_segment("s") }}s.segment asc nulls last,
    {{ place_in_call("s") }} asc,
    s.k asc
{% else %}
order by {{ turn("s.model") ~ " asc nulls first, " if modelled }}{{ place_in_call("s") }} asc, s.k asc
{% endif %}
