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
{{ choose("gain",
    otherwise=x,
    binary="1e0",
    exp2="(power(2e0, " ~ x ~ ") - 1)",
    exp2_shifted="(power(2e0, " ~ x ~ " - coalesce(" ~ option("relevance_threshold") ~ ", 0) + 1) - 1)",
    map="coalesce(" ~ (options.looked_up("gain_map", x) if "gain_map" in options.known else sql.lookup(option("gain_map"), x)) ~ ", " ~ refusal("gain_map", relevance=x, user="t.user_id", item=item) ~ ")",
) }}
