{#
about = "what a relevant item `item` with relevance `x` adds to cg and dcg"

[options.gain]
about = "what a relevant item adds to cg and dcg"
topic = "relevance"
default = "linear"
mapping = "gain_map"

[options.gain.values]
linear = "the relevance, or 1 if the truth has no column relevance"
binary = "1"
exp2 = "2 ^ relevance - 1"
exp2_shifted = "2 ^ (relevance - relevance_threshold + 1) - 1"
map = "the gain that gain_map gives for the relevance"

[options.gain_map]
about = "the gain of each relevance, for gain = map; a relevance without an entry is an error"
topic = "relevance"
type = "map"
where = { gain = "map" }
#}
{% set looked_up = gain_map.of(x) if gain_map else "cast(null as double)" %}
{% if gain == "binary" %}
1e0
{% elif gain == "exp2" %}
(power(2e0, {{ x }}) - 1)
{% elif gain == "exp2_shifted" %}
(power(2e0, {{ x }} - coalesce({{ "null" if relevance_threshold is none else relevance_threshold }}, 0) + 1) - 1)
{% elif gain == "map" and plain %}
{{ looked_up }}
{% elif gain == "map" and checked %}
{# The check gain_map refuses a relevance without a gain, before others see NaN. #}
coalesce({{ looked_up }}, {{ double("'nan'") }})
{% elif gain == "map" %}
coalesce({{ looked_up }}, {{ refusal("gain_map", relevance=x, user="t.user_id", item=item) }})
{% else %}
{{ x }}
{% endif %}
