{#
The queries of the report that no other function answers: single lists, single users, and the histograms of its
charts.
#}

-- name: bins
{# How the values of single users are distributed: one row per model and bin. Bin 0 has the users with the value 0. #}
with
spread as (
    select least(0, min(p.value)) as lowest, greatest(1, max(p.value)) as highest
    from {{ values }} as p
)

select
    p.model,
    case
        when p.value = 0 then 0
        else 1 + least({{ bins - 1 }}, cast(floor((p.value - s.lowest) / (s.highest - s.lowest) * {{ bins }}) as int))
    end as bin,
    count(*) as users,
    any_value(s.lowest) as lowest,
    any_value(s.highest) as highest
from {{ values }} as p
cross join spread as s
where p.value is not null
group by p.model, bin
order by p.model asc nulls first, bin asc

-- name: cases
{# The users with lists of both models for whom these differ most, in either direction. #}
select d.user_id, d.value, d.baseline_value, d.difference, d.place <= {{ most }} as lowest
from (
    select
        p.user_id,
        p.value,
        b.value as baseline_value,
        p.value - b.value as difference,
        row_number() over (order by p.value - b.value asc, p.user_id asc) as place,
        row_number() over (order by p.value - b.value desc, p.user_id asc) as opposite
    from {{ values }} as p
    inner join {{ values }} as b on b.user_id = p.user_id
    where p.model = {{ model }} and b.model = {{ baseline }} and p.list_length > 0 and b.list_length > 0 and p.value <> b.value
) as d
where (d.place <= {{ most }} and d.difference < 0) or (d.opposite <= {{ most }} and d.difference > 0)
order by d.place asc

-- name: lists
{# The top k of some users in the lists of each model, and which items are hits. #}
select
    {{ model_of("r") }},
    {{ sql.text("r.user_id") }} as user_id,
    {{ said_item("r") }} as item_id,
    h.user_id is not null as is_hit
from recommended as r
left join {{ "(select distinct " ~ model("h") ~ "h.user_id, h.rank from hits_in_force as h)" if of_spans else "hits_in_force" }} as h
    on {{ same_model("h", "r") }}h.user_id = r.user_id and {{ "h.item_id = r.item_id and " if not of_spans }}h.rank = r.rank
where r.user_id in ({{ of_users }})
order by {{ model("r") }}r.user_id asc, r.rank asc

-- name: longest
{# The number of items in the longest list of each model. #}
select l.model, max(l.items) as longest
from (
    select r.model, r.user_id, count(*) as items
    from (
        {{ recs | indent(8) }}
    ) as r
    group by r.model, r.user_id
) as l
group by l.model

-- name: missed
{# The relevant items that the lists of a model miss most often. #}
select
    {{ said_item("t") }} as item_id,
    count(*) as users,
    count(h.item_id) as hits,
    coalesce(max(l.lists), 0) as lists
from relevant as t
left join hits_in_force as h on h.user_id = t.user_id and h.item_id = t.item_id and {{ of_model("h") }}
left join (
    select r.item_id, count(*) as lists
    from recommended as r
    where {{ of_model("r") }}{{ " and false" if of_spans }}
    group by r.item_id
) as l on l.item_id = t.item_id
group by {{ said_item("t") if of_spans else "t.item_id" }}
order by count(*) - count(h.item_id) desc, count(*) desc, {{ said_item("t") }} asc
limit {{ most }}

-- name: popularity
{# The most popular items of each user of the truth; the scores order them as the ranks do. #}
select n.user_id, n.item_id, n.rank, cast({{ "0 - " if descending }}n.rank as double) as score
from offered as n
inner join cutoffs as c on c.k >= n.rank
where n.user_id in (select g.user_id from given_users as g) and {{ measurable() }}

-- name: compared
{#
The sentence on each comparison, and its p in words. Of a row, `orientation` is 1 if high values are better and -1 if low ones are,
and `widest` is the largest possible difference between two values of its metric. Rows of Python have the names on one line already.
#}
{% from "decisions/few.sql" import fewest %}
{% macro counted(x, noun) %}format('{:,} {{ noun }}', {{ x }}) || case when {{ x }} = 1 then '' else 's' end{% endmacro %}
{# Four decimals, or two digits if these are zeros. #}
{% macro decimals(x) %}
case
    when {{ x }} = 0 then '0.0000'
    when format('{:.4f}', abs({{ x }})) = '0.0000' then format('{:.2g}', {{ x }})
    else format('{:.4f}', {{ x }})
end{% endmacro %}
{% macro signed(x) %}case when {{ x }}[1] = '-' then '' else '+' end || {{ x }}{% endmacro %}
{% macro with_interval(x, low, high) %}{{ x }} || coalesce(' [' || n.numbers[{{ low }}] || ', ' || n.numbers[{{ high }}] || ']', ''){% endmacro %}
{% macro p_of(x, equal) %}case when {{ x }} < 1e-4 then '< 0.0001' else {{ equal }}format('{:.2g}', {{ x }}) end{% endmacro %}
{# A name with line breaks as spaces, and other control characters escaped. #}
{% set breaks, controls = "[\\n-\\r\\x1c-\\x1e\\x{85}\\x{2028}\\x{2029}]", "[\\x00-\\x1f\\x7f-\\x{9f}\\x{2028}-\\x{202e}\\x{2066}-\\x{2069}]" %}
{% macro one_line(x) %}
case
    when not regexp_matches({{ x }}, '{{ controls }}') then {{ x }}
    else array_to_string(list_transform(
        string_split(regexp_replace(regexp_replace({{ x }}, '(\r\n|{{ breaks }})$', ''), '\r\n|{{ breaks }}', ' ', 'g'), ''),
        lambda c: case
            when not regexp_matches(c, '{{ controls }}') then c
            when c = chr(9) then '\t'
            else format(case when unicode(c) < 256 then '\x{:02x}' else '\u{:04x}' end, unicode(c))
        end
    ), '')
end{% endmacro %}
{# In a macro, whether high values of a metric are better: 1, -1 if low ones are, 0 if neither. #}
{% macro orientation_of(metric) %}
{% set orientations = {-1: lower, 0: neither} %}
case{% for sign, metrics in orientations.items() %} when recsql.meaning({{ metric }}) in ({{ metrics or "''" }}) then {{ sign }}{% endfor %} else 1 end{% endmacro %}
{# What the test shows, or looks for: a difference above -margin, or below. #}
{% set size_of_margin = "%g" | format(margin | abs) %}
{% macro word(above, up, down) %}
{{ {"true": "w." ~ up, "false": "w." ~ down}.get(above, "case when " ~ above ~ " then w." ~ up ~ " else w." ~ down ~ " end") }}{% endmacro %}
{% macro claim(above) %}
{% if margin %}
case
    when {{ "not " if margin < 0 }}{{ above }} then 'at most {{ size_of_margin }} ' || {{ word(above, "down", "up") }} || w.than
    else {{ word(above, "up", "down") }} || w.than || ' by more than {{ size_of_margin }}'
end{% else %}{{ word(above, "up", "down") }} || w.than{% endif %}
{% endmacro %}
{% set two_sided = alternative == "two_sided" %}
{% set asked = claim("true" if alternative == "greater" else "false") | trim %}
{% set correction_name = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}.get(correction) %}
with
signs as (
    select
        v.*,
{% if raw %}
        {{ one_line("coalesce(v.model, 'None')") | indent(8) }} as name,
        {{ one_line("coalesce(v.baseline, 'None')") | indent(8) }} as against,
        v.metric || coalesce('@' || v.k, '') as at,
{% endif %}
        case v.orientation when 1 then 'better' when -1 then 'worse' else 'higher' end as up,
        case v.orientation when 1 then 'worse' when -1 then 'better' else 'lower' end as down,
        case when v.verdict in ('higher', 'not_lower') then 1 when v.verdict in ('lower', 'not_higher') then -1 else 0 end as towards,
        {{ "v.detectable" if two_sided else ("-" if alternative == "less") ~ "v.detectable - " ~ margin }} as needed
{% if raw %}
    from (
        select
            c.* replace (cast(c.model as varchar) as model, cast(c.baseline as varchar) as baseline),
            row_number() over (order by c.model asc nulls first) as place,
            {{ orientation_of("c.metric") | trim }} as orientation,
            {{ "case when recsql.meaning(c.metric) in (" ~ unbounded ~ ") then 'infinity'::double else 1e0 end" if unbounded else "1e0" }} as widest
        from {{ values }} as c
    ) as v
{% else %}
    from {{ values }} as v
{% endif %}
),
numbers as (
    select
        s.*,
        s.verdict = 'differs' or s.towards <> 0 as is_shown,
        {# 1 if the model is shown to be better, -1 if the baseline is. #}
        nullif(case s.verdict when 'higher' then s.orientation when 'lower' then -s.orientation end, 0) as winner,
        'the same ' || case when s.effect is null then format('for all {:,} users', s.users) else 'in all clusters' end as same,
        list_transform(
            [s.difference, s.low, s.high, -s.difference, -s.high, -s.low, s.needed],
            lambda x: {{ decimals("x") | indent(12) | trim }}
        ) as numbers
    from signs as s
),
words as (
    select
        n.*,
        n.name || ' and ' || n.against as both,
        ' than ' || n.against || ' on ' || n.at as than,
        {{ with_interval(signed("n.numbers[1]"), 2, 3) }} as found,
        case when n.towards > 0 then {{ with_interval("n.numbers[1]", 2, 3) }} else {{ with_interval("n.numbers[4]", 5, 6) }} end as size,
        case
            when not n.is_shown and n.p < round(1e0 - {{ interval }}, 12) and n.tests > 1
                then format(' after the correction for {:,} tests', n.tests)
            else ''
        end as after,
        'p ' || {{ p_of("n.p", "'= ' || ") }}
{% if correction_name %}
        || case
            when n.tests = 1 then ''
            else format(' ({{ correction_name }} over {:,} comparisons: ', n.tests) || coalesce({{ p_of("n.p_adjusted", "") }}, '') || ')'
        end
{% endif %}
        as p_words,
        case
            when n.detectable is null then ''
            when abs(n.needed) > n.widest
                then '; ' || {{ counted("n.users", "user") if vary == "users" else counted("n.datasets", "data set") }}
                    || ' are too few to find even the largest possible difference in {{ cases }}'
            else '; ' || case when n.tests = 1 then '' else 'tested alone, ' end || 'a difference of '
                || {{ "n.numbers[7] || ' or more would have been found in '" if two_sided else signed("n.numbers[7]") }}
                || {{ "" if two_sided else "' would have shown it in at least ' || " }}'{{ cases }}'
        end as needs
    from numbers as n
),
claims as (
    select
        w.*,
        case
            when w.towards <> 0 then w.name || ' is ' || {{ claim("w.towards > 0") | trim | indent(12) }}
            else 'It is not shown' || w.after || ' that ' || w.name || ' is ' || {{ asked | indent(12) }}
        end as claim
    from words as w
)

select
    w.place, w.model, w.baseline, w.name, w.against, w.difference, w.verdict, w.is_shown, w.winner, w.p_words,
    case
        when w.difference is null then w.both || ' can''t be compared on ' || w.at || ': no user has values of both.'
        when w.verdict = 'same' then w.both || ' have the same ' || w.at || ': no user differs (' || {{ counted("w.users", "user") }} || ').'
        when w.verdict = 'untested'
            then 'The difference between ' || w.both || ' on ' || w.at || ', ' || {{ signed("w.numbers[1]") }} || ', can''t be tested: ' || case
{% if looks == "many" %}
                when w.few and w.users < {{ fewest.users }} then format('too few users to look: {:,}; from {{ fewest.users }} on', w.users)
                when w.few
                    then format('too few users who differ to look: {:,}; from {{ fewest.differing }} on', w.users - coalesce(w.ties, 0))
{% endif %}
                when w.users <= 1 then 'only one user has values of both'
                when w.std_error = 0 then 'it is ' || w.same
                else 'its standard error can''t be computed'
            end || '.'
        when w.p is null then w.claim || ': difference ' || w.found || ', ' || w.same || ', which no t test can judge.'
{% if test in ["wilcoxon", "sign"] %}
        {# Such a test is not about means: the sentence names the higher values, and the means follow. #}
        else {% if two_sided %}case
            when w.is_shown then w.both || ' differ'
            else 'No difference ' || case when w.after = '' then 'found' else 'shown' end || ' between ' || w.both
        end || ' on ' || w.at || w.after{% else %}'It is ' || case when w.is_shown then '' else 'not ' end || 'shown' || w.after
            || ' that ' || w.name || ' tends to be ' || {{ asked | indent(12) }}{% endif %}

            || ', ' || w.p_words || '; ' || w.name || ' is ' || w.up || format(' for {:,} users and ', w.wins) || w.down
            || format(' for {:,}. Difference of the means: ', w.losses) || w.found || '.'
{% else %}
{% if two_sided %}
        when not w.is_shown and w.after = '' then 'No difference found between ' || w.both || ' on ' || w.at || w.needs || '.'
        when not w.is_shown
            then 'The difference between ' || w.both || ' on ' || w.at || ', ' || w.found || ', is not shown' || w.after
                || ': ' || w.p_words || w.needs || '.'
{% else %}
        when not w.is_shown then w.claim || ': difference ' || w.found || ', ' || w.p_words || w.needs || '.'
{% endif %}
{% if margin %}
        else w.claim || ': difference ' || w.found || ', ' || w.p_words || '.'
{% else %}
        else w.claim || ' by ' || w.size || ', ' || w.p_words
            || case when w.ties > 0 then format('; no difference for {:,} of {:,} users', w.ties, w.users) else '' end || '.'
{% endif %}
{% endif %}
    end as sentence
from claims as w
order by w.place asc

-- name: not_worse
{# From the standard deviation of differences, how many users show of equal models that one is not worse by more than the margin. #}
{% set x, r = "t.tail", "t.r" %}
{% set quantile %}{% include "expressions/distributions.sql: normal_quantile" %}{% endset %}
{% set x, z, w, deviation = margin, "q.z", "q.w", "v.deviation" %}
select
    n.place,
    case
        when n.needed > n.users then format('about {:,} users would tell', cast(round(n.needed, 1 - cast(floor(log10(n.needed)) as int)) as bigint))
        else format('{:,} users are enough', n.users)
    end as needs
from (
    select v.place, v.users, {% include "expressions/distributions.sql: users_to_show" %} as needed
    from {{ values }} as v
    cross join (
        select
            max(case when t.side = 1 then {{ quantile | indent(12) }} end) as z,
            max(case when t.side = 2 then {{ quantile | indent(12) }} end) as w
        from (
            select s.side, s.tail, case when s.tail > 7.5e-2 then 1.80625e-1 - power(5e-1 - s.tail, 2) else sqrt(-ln(s.tail)) end as r
            from (values (1, 1e0 - {{ interval }}), (2, 1e0 - {{ power }})) as s (side, tail)
        ) as t
    ) as q
) as n

-- name: model_means
{# In a macro, the mean of a metric for each model, the best first. #}
{% from "report.sql: compared" import one_line, orientation_of with context %}
select
    cast(m.model as varchar) as model,
    {{ one_line("coalesce(cast(m.model as varchar), 'None')") | indent }} as name,
    m.metric, m.k, m.value, m.users, m.low, m.high, m.orientation,
    row_number() over (
        order by m.value is null asc, case when m.orientation < 0 then m.value else -m.value end asc, m.model asc nulls first
    ) as turn
from (
    select
        e.*,
        case
            when min(e.metric) over () <> e.metric then error('metric: this macro takes one metric; give one, such as {{ one_metric }}')
            else {{ orientation_of("e.metric") | trim }}
        end as orientation
    from recsql.evaluate_with_interval(«recs», «truth»{% for one in tables_of_means %}, «{{ one }}»{% endfor %}, k := «k», metrics := «metric») as e
) as m

-- name: verdict
{#
Which model is best at a metric, and why: the headline, the sentences under it, and a doubt. It reads the means of the models, and the
comparisons with the best model and, if the call names a baseline, with that one.
#}
{% from "report.sql: compared" import counted, decimals with context %}
{% set few_users = 200 %}
{% set is_saturated = "l.is_saturated" if raw else saturated %}
{% macro lines(condition, order="p.place") %}coalesce(list(p.sentence order by {{ order }} asc) filter (where {{ condition }}), []){% endmacro %}
{% macro models(condition, name="model") %}coalesce(list(p.{{ name }} order by p.turn asc) filter (where {{ condition }}), []){% endmacro %}
{% set close = "p.is_rival and p.winner is null" %}
with
{% if not raw %}
told as (
{% filter indent(4, first=true) %}{% include "report.sql: compared" %}{% endfilter %}

),
{% endif %}
duels as (
    select
        t.*,
        r.turn,
        t.baseline = b.model and t.difference is not null as is_rival,
        t.baseline = coalesce({{ baseline }}, b.model) as is_own,
        coalesce(t.winner > 0, false) as wins
    from {{ told }} as t
    inner join {{ further }} as r on r.model is not distinct from t.model
    inner join {{ further }} as b on b.turn = 1
),
facts as (
    select
        {{ lines("p.is_own") }} as of_all,
        {{ lines("p.is_own and p.is_shown") }} as of_shown,
        {{ lines("p.is_own", "p.turn") }} as by_turn,
        {{ lines("p.is_own and p.wins") }} as of_winners,
        {{ lines("p.is_rival and p.wins") }} as of_ahead,
        {{ lines(close, "p.turn") }} || {{ lines("p.is_rival and p.turn = 2") }} as of_runner,
        {{ models(close) }} as close,
        {{ models(close, "name") }} as close_names,
        {{ models("p.is_own and p.wins") }} as winners,
        {{ models("p.is_own and p.wins", "name") }} as winner_names,
        {{ models("p.is_own", "name") }}[1] as contender,
        any_value(p.against) filter (where p.is_own) as baseline,
        bool_or(p.winner is null) filter (where p.is_own) as is_open,
        bool_and(p.verdict = 'untested') filter (where {{ close }}) as is_untested
    from duels as p
),
leaders as (
    select
        f.*,
        m.*,
        m.metric || coalesce('@' || m.k, '') as at,
        case when m.orientation < 0 then 'lowest' else 'highest' end as most,
        [coalesce(replace(format('{:.4f}', m.value), '-0.0000', '0.0000'), '')]
            || list_transform([m.low, m.high], lambda x: {{ decimals("x") | indent(12) | trim }}) as numbers,
{% if raw %}
        {# As check finds it: nearly all users have the best value, in every model. #}
        recsql.meaning(m.metric) in ({{ at_most_one or "''" }}) and (
            select min(s.best / s.users) > 0.9 and min(s.users) >= 20
            from (
                select count(case when v.value > 1 - 1e-9 then 1 end) as best, count(v.value) as users
                from metric_values as v
                group by v.model
            ) as s
        ) as is_saturated,
{% endif %}
        (select list(r.model order by r.turn asc) from {{ further }} as r) as models,
        (select list(r.name order by r.turn asc) from {{ further }} as r) as names
    from facts as f
    inner join {{ further }} as m on m.turn = 1
),
verdicts as (
    select
        l.*,
        case
            when len(l.models) = 1 then 'one model'
            when l.orientation = 0 then 'no judgement'
            when {{ is_saturated }} then 'saturated'
            when {{ baseline }} is not null and len(l.winners) = 0 then 'no winner'
            when len(l.of_ahead) > 0 then 'no best'
            when len(l.close) = 0 then 'best'
            when l.is_untested then 'untested'
            else 'close'
        end as kind,
        list_has_all(l.winners, l.close || [l.model]) as all_win,
        list_filter(case
            when {{ baseline }} in (l.model, coalesce(l.close[1], l.models[2])) then [l.by_turn[1]]
            when {{ baseline }} is not null then [l.of_winners[1], l.of_runner[1]]
            else l.of_runner[:1]
        end, lambda x: x is not null) as why
    from leaders as l
)

select p.place, case when p.place = 1 then 'headline' when p.place <= p.known then 'sentence' else 'doubt' end as kind, p.line
from (
    select unnest(range(1, len(s.lines) + len(s.doubts) + 1)) as place, len(s.lines) as known, unnest(s.lines || s.doubts) as line
    from (
        select
            case
                when v.users >= {{ few_users }} then []
                else ['There ' || case when v.users = 1 then 'is' else 'are' end || ' only ' || {{ counted("v.users", "user") }}
                    || ', and the intervals may be too narrow. Measure more before you decide.']
            end as doubts,
            case v.kind
                when 'one model' then [
                    case when v.model is null then 'The model' else v.name end || ' has ' || v.at || ' of ' || v.numbers[1] || '.',
                    v.at || ' is ' || v.numbers[1] || coalesce(' [' || v.numbers[2] || ', ' || v.numbers[3] || ']', '')
                        || ', the mean over ' || {{ counted("v.users", "user") }} || '.',
                    'There is no other model to compare it with.'
                ]
                when 'no judgement' then [
                    case when len(v.names) = 2 then v.names[1] || ' and ' || v.names[2] else 'The models' end
                        || case when len(v.of_shown) > 0 then ' differ' else ' are not shown to differ' end || ' on ' || v.at || '; none is better.'
                ] || (case when len(v.of_shown) > 0 then v.of_shown else v.of_all end)[:3]
                    || ['Neither high nor low values of ' || v.metric || ' are better, so none of the models is the best.']
                when 'saturated' then [
                    'Nothing is left to win on ' || v.at || '.',
                    'Nearly all users have the best possible value in every model, so ' || v.at || ' can''t tell the models apart. '
                        || 'Use a smaller cut-off, another metric or harder test data.'
                ]
                when 'no winner' then [
                    case
                        when v.is_open then 'No model is shown to beat '
                        when len(v.of_all) > 1 then 'No model beats '
                        else v.contender || ' does not beat '
                    end || v.baseline || '.',
                    case when len(v.of_all) > 1 then 'The closest: ' else '' end || v.by_turn[1]
                ]
                when 'no best'
                    then ['No model is best on ' || v.at || ': ' || v.name || ' has the ' || v.most || ' mean, over other users.'] || v.of_ahead[:3]
                when 'best' then [v.name || ' is the best model on ' || v.at || '.'] || v.why
                when 'untested' then [v.name || ' has the ' || v.most || ' ' || v.at || ', but that can''t be tested.'] || v.why
                else [
                    v.name || ' and ' || case when len(v.close) = 1 then v.close_names[1] else len(v.close) || ' other models' end
                        || ' are too close to call on ' || v.at || '.'
                        || case
                            when {{ baseline }} is null then ''
                            when not v.all_win
                                then ' ' || array_to_string(v.winner_names, ' and ')
                                    || case when len(v.winners) = 1 then ' beats ' else ' beat ' end || v.baseline || '.'
                            else case when len(v.close) = 1 then ' Both' else ' All of them' end || ' beat ' || v.baseline || '.'
                        end
                ] || v.why
            end as lines
        from verdicts as v
    ) as s
) as p
order by p.place asc

-- name: overlapping
{# The sentences on overlaps of lists: what the two values are, and who is not in them. #}
select
    'overlap: common items / {{ "items of the model''s list" if overlap__denominator == "returned" else "items of the shorter list" if overlap__denominator == "shorter" else "items of either list" if overlap__denominator == "union" else "k" }}. '
    || printf('rbo: rank-biased overlap, {{ overlap__kind }}, p = %g{{ " (depth = " ~ overlap__depth ~ ")" if overlap__kind == "truncated" }}. Neither end is better.', {{ overlap__p }}) as line
union all
select {{ "format('{:,} user{} with a list of only one model {} left out.', max(v.unpaired), case when max(v.unpaired) = 1 then '' else 's' end, case when max(v.unpaired) = 1 then 'is' else 'are' end)" }} as line
from {{ values }} as v
having count(*) = 1 and max(v.unpaired) > 0
union all
select format('Up to {:,} users with a list of only one model are left out: see unpaired.', max(v.unpaired)) as line
from {{ values }} as v
having count(*) > 1 and max(v.unpaired) > 0

-- name: judging
{# The sentence on each pair of models: the difference, what the unjudged items could make of it, and how many judgements settle it. #}
select
    v.model
    || case
        when v.difference = 0 then ' and ' || v.baseline || ' have the same ' || v.metric || '@' || v.k
        else format(' is {} than {} on {}@{} by {:.3f}', case when v.difference > 0 then 'better' else 'worse' end, v.baseline, v.metric, v.k, abs(v.difference))
    end
    || case
        when v.unjudged = 0 then '; every item of both lists is judged.'
        else format('; the {:,} unjudged item{} could make {} {:.3f} to {:.3f}.', v.unjudged, case when v.unjudged = 1 then '' else 's' end, case when v.difference = 0 then 'the difference' else 'it' end, v.lowest, v.highest)
    end
    || case
        when v.unjudged = 0 then ''
        when v.enough is null then ''
        when v.enough = 0 then ' No judgement can turn it round.'
        when v.enough = 1 then ' Judging the first one settles it.'
        else format(' Judging the first {:,} settles it.', v.enough)
    end as line
from {{ values }} as v

-- name: judged_bounds
{# The bounds of the mean of each model, from the values of its users under each way in which their unjudged items can turn out. #}
select
    u.model,
    {{ metric | sql_literal }} as metric,
    {{ k }} as k,
    avg(u.value) as value,
    avg(u.lowest) as lowest,
    avg(u.highest) as highest,
    cast(sum(u.unjudged) as bigint) as unjudged,
    count(*) as users
from (
    select
        w.model,
        w.user_id,
        max(w.unjudged) as unjudged,
        max(case when w.relevant = 0 then v.{{ title }} end) as value,
        min(v.{{ title }}) as lowest,
        max(v.{{ title }}) as highest
    from {{ further }} as w
    inner join {{ values }} as v on v.user_id = w.number
    group by w.model, w.user_id
) as u
group by u.model
order by u.model asc nulls first

-- name: planned
{# The sentences on a plan, up to three for each of its first six rows. #}
{% macro share(x) %}case when {{ x }} > 0 and {{ x }} < 5e-3 then 'under 1' else printf('%.0f', 100 * {{ x }}) end || ' %'{% endmacro %}
{% macro at_margin(x) %}{{ "''" if plan__margin is none else "printf('o show a difference of %g, ', " ~ plan__margin ~ ") || " ~ x }}{% endmacro %}
select unnest(list_filter([
    case
        when p.users < 2 then p.at || ': one user shows no difference; give more.'
        when p.std_difference = 0 then p.at || ': the lists have one value for all users; nothing can be planned from them.'
        else format('With {:,} users, a difference in {} of {:.4f} or more would be shown in {}, ', p.users, p.at, p.detectable, '{{ cases }}')
        || {% if wins is not none %}'if ' || {{ share(wins) }} || ' of users win and ' || {{ share(losses) }} || ' lose.'{% else %}coalesce('as the values of ' || p.model || ' and ' || p.baseline, 'if the values of two models') || coalesce(printf(' correlate by %g.', round(p.correlation, 2)), ' do not correlate.'){% endif %}

    end,
    case p.verdict
        when 'enough' then 'T' || {{ at_margin("format('{:,} users are needed: enough.', p.users_needed)") }}
        when 'too_few' then p.at || ': t' || {{ at_margin("format('{:,} users are needed; there are {:,}.', p.users_needed, p.users)") }}
        when 'no_room' then format('{}: the best lists would have {:.4f}, and only a difference of {:.4f} would be shown: no room.', p.at, p.ideal, p.detectable)
    end,
{% if measured %}
    case when p.baseline is null then coalesce(p.model, 'The model') || format(' has {:.4f}', p.value) || coalesce(printf('; the best lists would have %g', round(p.ideal, 4)), '') || '. ' || {{ share("p.zero_share") }} || ' of users have 0' || coalesce(', ' || {{ share("p.best_share") }} || ' the best value', '') || '.' end
{% else %}
    printf('The best lists would have %g.{{ " Without lists, a mean of %g is assumed, and users who differ as much as they can." if wins is none }}', round(p.ideal, 4){{ ", p.value" if wins is none }})
{% endif %}
], lambda x: x is not null)) as line
from (select v.*, v.metric || coalesce('@' || v.k, '') as at from {{ values }} as v limit 6) as p

-- name: ranked
{# The sentences on ranks: of each metric, then those on all. #}
{# The models of a list in words: of more than six, the first three. #}
{% macro joined(list) %}
case
    when len({{ list }}) > 6 then array_to_string({{ list }}[:3], ', ') || ' and ' || (len({{ list }}) - 3) || ' others'
    when len({{ list }}) > 1 then array_to_string({{ list }}[:-2], ', ') || ' and ' || {{ list }}[-1]
    else {{ list }}[1]
end
{%- endmacro %}
{% macro some(condition) %}coalesce(list(v.model order by v.turn asc) filter (where {{ condition }}), []){% endmacro %}
{% macro first(x) %}max(case when v.turn = 1 then {{ x }} end){% endmacro %}
{% set varied = "data sets" if vary == "datasets" else "users" %}
with named as (
    select v.* replace (coalesce(v.model, 'the model') as model), v.metric || coalesce('@' || v.k, '') as at
    from {{ values }} as v
),

told as (
    select
        v.at,
        v.place,
        count(v.rank) as models,
        max(v.datasets) as datasets,
        case when max(v.datasets) > 1 then format(', the mean of {} data sets', max(v.datasets)) else '' end as over,
        {{ first("v.model") }} as leader,
        {{ first("v.rank_high") }} as leader_high,
        {{ first("v.borda_rank") }} as leader_points,
        coalesce({{ first("v.behind") }}, []) as behind,
        {{ some("v.turn > 1 and v.first is distinct from 1") }} as alike,
        {{ some("v.borda_rank = 1") }} as by_points,
        {{ some("v.rank is null") }} as unranked,
        count(case when v.turn > 1 and v.last is distinct from v.turn - 1 then 1 end) as neighbours,
        sum(v.untested) // 2 as untested,
        max(v.unpaired) as unpaired,
        max(v.dropped) as dropped,
        bool_or(v.few) as few
    from named as v
    group by v.at, v.place
),

told_tiers as (
    select t.at, t.place, count(*) as tiers, string_agg(t.models, ' | ' order by t.tier asc) as members
    from (
        select v.at, v.place, v.tier, string_agg(v.model, ', ' order by v.turn asc) as models
        from named as v
        where v.tier is not null
        group by v.at, v.place, v.tier
    ) as t
    group by t.at, t.place
)

select unnest(list_filter(flatten(list([
    case
        when t.models = 1 then 'One model: nothing to compare.'
        when t.leader_high = 1
            then format('{} is the best of {} models on {}{}: it is shown to be better than each of the others.', t.leader, t.models, t.at, t.over)
        when t.models > 1
            then format('{} has the best {} of {} models{}, but it can''t be told apart from ', t.leader, t.at, t.models, t.over)
                || {{ joined("t.alike") | indent(16) }} || '.'
    end,
    case
        when t.models > 1 and n.tiers = 1 then format('The {} models can''t be told apart: all are of one tier.', t.models)
        when t.models > 24 then format('There are {} tiers. Models of one tier can''t be told apart.', n.tiers)
        when t.models > 1 then format('Tiers: {}. Models of one tier can''t be told apart.', n.members)
    end,
    case
        when t.models > 2 and t.neighbours > 0
            then format('{} of {} neighbouring models can''t be told apart.', t.neighbours, t.models - 1)
    end,
    case
        when t.models > 1 and t.datasets > 1 and t.leader_points > 1
            then 'By Borda points, ' || {{ joined("t.by_points") | indent(12) }}
                || case when len(t.by_points) > 1 then ' are first.' else ' is first.' end
    end,
    case when t.datasets > 1 then array_to_string(list_filter(t.behind, lambda x: x is not null)[:3], ' ') end,
    case
        when len(t.unranked) > 0
            then format('No value of {} on some data set, so no rank: ', t.at) || {{ joined("t.unranked") | indent(12) }} || '.'
    end,
    case when t.unpaired > 0 then format('Left out, because not every model has a value of {}: {:,} users.', t.at, t.unpaired) end,
    case
        when t.untested > 0 then format('Untested on {}: {} of {} pairs of models.', t.at, t.untested, t.models * (t.models - 1) // 2)
    end
] order by t.place asc, t.at asc)) || [
    case
        when max(t.models) > 1{{ " and max(t.datasets) > 1" if vary == "datasets" }}
            then format('Ranks: [low, high] holds for all {} models at once, ', max(t.models))
                || 'for {{ "%g" | format(100 * interval) }} % of samples of {{ varied }} like these'
{% if vary == "datasets" %}
                || ' ' || max(t.datasets) || '.'
{% else %}
                || case when max(t.datasets) > 1 then '; the data sets are taken as given.' else '.' end
{% endif %}
    end,
{% if scored and vary == "users" %}
    'The scores have no values per user. The models are compared as if each had users of its own; '
    || 'with values per user, intervals would be narrower.',
{% elif scored %}
    case
        when max(t.datasets) > 1 then 'The scores have no values per user, so the data sets are taken as a sample.'
        else 'One data set without std_error and users: nothing tells how far a score may be off, so no pair is tested.'
    end,
{% else %}
    case when max(t.datasets) > 1 then 'The same user id in two data sets is two users.' end,
{% endif %}
{% if rank__missing == "common" %}
    'Left out, because not every model has a value on them: ' || max(t.dropped) || '.',
{% endif %}
    case when bool_or(t.few) then '* few {{ varied }}: intervals of ranks may be too narrow.' end
], lambda x: x <> '')) as line
from told as t
left join told_tiers as n on n.at = t.at and n.place = t.place

-- name: scores
{# Values per user or scores, with a data set, a metric and a cut-off in each row. #}
{# In a result of evaluate, a row without a data set is a mean over these. #}
select
    cast(v.model as varchar) as model,
    coalesce(cast(v.dataset as varchar), '') as dataset,
    cast(v.user_id as varchar) as user_id,
    coalesce(cast(v.metric as varchar), 'value') as metric,
    coalesce(cast(v.k as integer), {{ whole }}) as k,
    cast(v.value as double) as value,
    cast(v.std_error as double) as given_error,
    cast(v.users as bigint) as users
from {{ values }} as v
where v.value is not null{{ " and v.dataset is not null" if datasets }}

-- name: unfit_scores
{# What is wrong with values per user or scores, the first problem first. #}
{% macro problem(place, sentence) %}
select {{ place }} as place, {{ sentence }} as problem
from {{ values }} as v
{% endmacro %}
{% set of_dataset = "coalesce(' on data set ' || nullif(v.dataset, ''), '')" %}
select p.problem
from (
    {{ problem(1, "'it has no values; give a row per model'") | indent }}
    having count(*) = 0
    union all
    {{ problem(2, "'model" ~ (", user_id" if of_users else "") ~ " or value is NULL, NaN or infinite in some rows; correct or leave out these'") | indent }}
    where v.model is null or not isfinite(v.value){{ " or v.user_id is null" if of_users }}
    union all
    select
        3 as place,
        'model ' || v.model || ' has two values' || {{ "' of user ' || v.user_id || " if of_users }}{{ of_dataset }}
        || ' for one metric and k; leave one of them out' as problem
    from {{ values }} as v
    group by v.model, v.user_id, v.dataset, v.metric, v.k
    having count(*) > 1
    union all
    select
        4 as place,
        'it has ' || count(distinct v.model) || ' models and ' || count(distinct v.dataset)
        || ' data sets, and at most 1000 and 10000 are ranked; give fewer' as problem
    from {{ values }} as v
    having count(distinct v.model) > 1000 or count(distinct v.dataset) > 10000
{% if rank__missing == "error" %}
    union all
    select
        5 as place,
        'model ' || m.model || ' has no value' || coalesce(' of ' || nullif(v.metric, 'value'), '') || {{ of_dataset }}
        || '; add it, or give missing=''leave_out'' or missing=''common''' as problem
    from (select distinct v.metric, v.k, v.dataset from {{ values }} as v) as v
    cross join (select distinct v.model from {{ values }} as v) as m
    anti join {{ values }} as o on o.model = m.model and o.metric = v.metric and o.k = v.k and o.dataset = v.dataset
{% endif %}
    union all
    {{ problem(6, "v.metric || ' is not a mean over users; give scores with std_error'") | indent }}
    where v.given_error is null and split_part(v.metric, '@', 1) in ('{{ of_lists | join("', '") }}')
    {{ "and v.users is not null" if not of_users }}
{% if of_users and "rank__correlation" in given %}
    union all
    {{ problem(7, "'the values of each user tell how models correlate; leave correlation= out'") | indent }}
{% elif not of_users %}
    union all
    select
        8 as place,
        v.metric || ' has values beyond 0 to 1, of which a number of users tells no error; give std_error' as problem
    from {{ values }} as v
    group by v.metric
    having
        (min(v.value) < 0 or max(v.value) > 1)
        and count(case when v.given_error is null and v.users is not null then 1 end) > 0
    union all
    {{ problem(9, "'std_error is below 0 or users below 1 in some rows; correct these'") | indent }}
    where v.given_error < 0 or v.users < 1
{% if given.get("vary") == "users" %}
    union all
    select
        10 as place,
        'it has neither std_error nor users in some rows, so no users vary; add one of them, or give vary=''datasets''' as problem
    from {{ values }} as v
    where v.given_error is null and v.users is null
{% endif %}
{% endif %}
) as p
order by p.place asc, p.problem asc
limit 1

-- name: repeats
{# The number of relevant rows of the truth, and how many of them their user has in train already. #}
select count(*) as items, count(p.user_id) as known
from (
    {{ tables.truth.select | indent }}
) as t
left join (
    select distinct p.user_id, p.item_id
    from (
        {{ tables.train.select | indent(8) }}
    ) as p
) as p on {{ sql.text("p.user_id") }} = {{ sql.text("t.user_id") }} and {{ sql.text("p.item_id") }} = {{ sql.text("t.item_id") }}
where {{ is_relevant() }}

-- name: segments
{# The segments that every comparison has: which of two models have a list of the user, and how many relevant items there are. #}
select
    u.user_id as {{ user }},
    case
        when u.has_model and u.has_baseline then 'of both'
        when u.has_model then 'of ' || {{ model }} || ' only'
        when u.has_baseline then 'of ' || {{ baseline }} || ' only'
        else 'of neither'
    end as {{ list }},
    case when u.relevant < 2 then cast(u.relevant as varchar) when u.relevant < 4 then '2 to 3' else '4 or more' end as {{ relevant }}
from (
    select
        p.user_id,
        bool_or(p.model = {{ model }} and p.list_length > 0) as has_model,
        bool_or(p.model = {{ baseline }} and p.list_length > 0) as has_baseline,
        max(p.relevant) as relevant
    from {{ values }} as p
    where p.model in ({{ model }}, {{ baseline }})
    group by p.user_id
) as u

-- name: floor
{# The values that a condition such as ndcg@10.low < 0.02 is about: whether each fails, and a sentence. A value that is NULL fails. #}
select
    coalesce(v.value {{ sign }} {{ limit }}, true) as fails,
    case when fails then 'Failed' else 'Passed' end
    || ': ' || v.at || '{{ "." ~ what if what != "value" }}' || coalesce(' of ' || v.model, '') || v.segment || ' is '
    || coalesce(printf('%.6g', v.value) || ', which is ' || case when fails then '' else 'not ' end || '{{ sign }} {{ limit }}', 'not known')
    || '.' as line
from (
    select
        r.model,
        r.metric || coalesce('@' || r.k, '') as at,
        {{ "coalesce(' in ' || r.slice || ' = ' || coalesce(r.segment, '(none)'), '')" if sliced else "''" }} as segment,
        cast(r.{{ what }} as double) as value
    from {{ values }} as r
    where {{ metric }} in (r.metric, r.metric || coalesce('@' || r.k, '')) and r.model is distinct from {{ baseline }}
) as v

-- name: worst
{# The users who lose most in each comparison at one metric and cut-off; `sign` is 1 if high values are better, else -1. #}
select d.* exclude (place)
from (
    select
        d.*,
        row_number() over (partition by d.model, d.baseline order by {{ sign }} * d.difference asc, d.{{ user }} asc) as place
    from {{ values }} as d
    where d.metric = {{ metric }} and d.k is not distinct from {{ k }} and {{ sign }} * d.difference < 0
) as d
where d.place <= {{ most }}
order by d.model asc nulls first, d.baseline asc nulls first, d.place asc

-- name: wanted
{# The relevant items of some users, those with the highest gain first. #}
select {{ sql.text("t.user_id") }} as user_id, {{ said_item("t") }} as item_id
from relevant as t
where t.user_id in ({{ of_users }})
order by t.user_id asc, t.gain desc, t.item_id asc
