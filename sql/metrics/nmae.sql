{#
title = "normalised mean absolute error"
group = "ratings"
formula = "mae / (highest - lowest rating of the scale); by default, of the ratings of the data; NULL if these are equal"
reference = "Goldberg, Roeder, Gupta and Perkins 2001; Herlocker, Konstan, Terveen and Riedl 2004"
care = "the highest and the lowest rating of the data differ between splits, and so does the value; give the width of the scale to compare them"
aliases = ["normalised_mae", "normalized_mae"]
grain = "rating"
bounds = [0]
better = "lower"
by_name = true

[options.nmae_scale]
about = "the width of the scale: the highest possible rating less the lowest, as 4 for ratings from 1 to 5; by default, that of all ratings of the data"
topic = "ratings"
type = "number"
above = 0
#}
s.absolute_error / nullif(s.pairs, 0) / {{ "nullif(s.rating_range, 0e0)" if nmae_scale is none else double(nmae_scale) }}
