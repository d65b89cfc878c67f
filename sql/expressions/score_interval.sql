{#
about = "the lower (`sign` -) or upper (+) end of Wilson's interval of a mean `x` of values between 0 and 1; `p` is quantile^2 / users"
also = "item rating"

[options.interval]
about = "adds an interval to each value; over many samples of users, this share of intervals covers the value for all users"
topic = "intervals"
type = "number"
alone = 0.95
above = 0.5
below = 1

[options.interval_method]
about = "how the interval is computed"
topic = "intervals"
default = "auto"

[options.interval_method.values]
auto = "wilson for means of values between 0 and 1, t for other means, groups for metrics that are not means"
wilson = "Wilson's score interval, which stays between 0 and 1; its number of users follows from the variance"
t = "the mean and its standard error, with the quantile of the t distribution"
groups = "the value without each of several groups of users (jackknife); metrics that are not means have this under every method"

[options.groups]
about = "the number of groups of users, for intervals of metrics that are not means; at most as many as users"
topic = "intervals"
default = 64
type = "integer"
at_least = 8
at_most = 1024
#}
({{ x }} + {{ p }} / 2e0 {{ sign }} sqrt(greatest({{ x }} * (1e0 - {{ x }}), 0e0) * {{ p }} + {{ p }} * {{ p }} / 4e0)) / (1e0 + {{ p }})
