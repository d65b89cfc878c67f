{#
What has no bounds: options that could not be followed, and a truth without judgements.
#}

-- name: judged_under
{#
message = "{option}={value}: it is not known what the unjudged items could change under it; leave {option}= out"
place = 1
on = ["unjudged"]
#}
{% set followed = [
    ("no_truth", no_truth, ["skip", "error", "zero", "zero_below_threshold"]),
    ("users", users, ["truth", "intersection"]),
    ("sample", sample, [1]),
    ("weighting", weighting, ["none"]),
    ("zero_ideal", zero_ideal, ["null", "zero"]),
    ("ideal", ideal, ["truth", "truth_uncut", "truth_returned", "constant", "candidates"]),
    ("truth_window", truth_window, ["all"]),
    ("judged_only", judged_only, ["false"]),
    ("duplicates", duplicates, ["error", "first", "last", "hole"]),
    ("ties", ties, ["item_asc", "item_desc", "input", "error"]),
    ("spans", spans, ["false"]),
    ("budget", budget, [none]),
] %}
{% for name, value, known in followed if value not in known %}
{% if loop.first %}
select
    {{ sentence(option=literal(name), value=literal("'" ~ value ~ "'" if value is string else value)) | indent }} as message
{% endif %}
{% else %}
select {{ sql.text("null") }} as message
where false
{% endfor %}

-- name: grade_not_relevant
{#
message = "grade={grade}: an item of this relevance is not relevant; give grade= the relevance that an unjudged item would have if it is"
place = 1
on = ["unjudged"]
#}
select
    {{ sentence(grade=literal(judge__grade)) | indent }} as message
where not ({{ is_relevant(double(judge__grade)) }})

-- name: nothing_rejected
{#
message = "{truth}: no row is judged not relevant, as relevance 0 says; where the truth is of clicks, every other item may be relevant, and bounds say nothing; add the items that people judged not relevant"
place = 6
on = ["unjudged"]
#}
select
    {{ sentence() | indent }} as message
where not exists (select 1 as one from given_truth as t where not ({{ is_relevant() }}))

-- name: unjudged_copies
{#
message = "{recs}: item {item} appears more than once in the list of user {user}{model}; list it once, or choose which copy counts with duplicates='first' or 'last'"
place = 5
on = ["unjudged"]
when = "duplicates == 'error'"
#}
select
    {{ sentence(item="r.item_id", user="r.user_id", model="coalesce(' and model ' || r.model, '')" if modelled else "''") | indent }} as message
from recommended as r
inner join unjudged as n on {{ same_model("n", "r") }}n.user_id = r.user_id and n.item_id = r.item_id
where r.rank <= {{ depth }}
group by {{ model("r") }}r.user_id, r.item_id
having count(*) > 1
order by r.user_id asc, r.item_id asc{{ ", r.model asc nulls first" if modelled }}
limit 1

-- name: no_credit
{#
message = "{metric}: what an item adds to it depends on the other items, so that no single judgements decide a comparison; take one of {others}, or bounds of each model"
#}

-- name: no_further
{#
message = "{metric}: it is not known which judgements make it lowest and highest; take one of {others}"
#}

-- name: judged_depth
{#
message = "k: whole lists have no cut-off down to which judgements are asked for; give a k"
#}
