{# The truth and its gains. If every gain is 1, the ideal list needs no gains. #}
{% set in_order = truth_window == "k" or ideal == "truth_as_given" %}
{% set gains_of_one = truth_window != "k" and not needs.ideal_stop and (
    gain == "binary" or (not graded and gain in ["linear", "exp2"])
) %}
{% set ideals = of_users and needs.ideals and not gains_of_one %}
{% set discounts = of_users and needs.discounts and (gains_of_one or ideal == "constant" or needs.discount_total) %}
{% set profiled = fast and ideals %}

{# The weights of relevant items, from a column of the truth or from train. #}
{% set weighted = needs.propensities or target == "weights" %}
{% set weights_of_truth = weighted and propensity is not none %}
{% set weights_of_train = weighted and propensity is none %}
{% macro of_train(a) %}{{ "\nleft join item_propensities as x on x.item_id = " ~ a ~ ".item_id" if weights_of_train }}{% endmacro %}
