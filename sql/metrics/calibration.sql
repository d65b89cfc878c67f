{#
title = "miscalibration of categories"
group = "diversity"
formula = "sum over categories of p ln(p / ((1 - a) q + a p)); p = the category's share of the user's train, q = its share of the top k; then the mean over lists"
reference = "Steck 2018, Calibrated recommendations"
care = "0 is a list with the same shares as train; a user with a short train has few categories and a high value, and so has a list with few items"
aliases = ["miscalibration", "calibration_kl", "c_kl"]
grain = "list"
bounds = [0]
better = "lower"
by_name = true
needs = ["train_of_users"]

[[requires]]
one_of = ["items"]

[[requires]]
one_of = ["train"]

[options.calibration_alpha]
about = "the part of p in what p is compared with, so that a category that the list lacks has a finite value"
topic = "lists"
type = "number"
default = 0.01
above = 0
below = 1
splits = true
#}
{# That of a list with the shares of train can be below 0 in its last digits. #}
case when s.divergence < 0e0 then 0e0 else s.divergence end
