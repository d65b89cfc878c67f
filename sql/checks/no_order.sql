{#
message = "ties = '{ties}' gives tied items no order, which truth_window, single rows and metrics of all lists need; use ties = 'item_asc', 'item_desc', 'input' or 'error'"
place = 1
#}
{% if "ranked" in rendering.everything or "scored" in rendering.everything %}
{% set tied = unordered() %}
{% set of_users = "at_k" in rendering.everything and "listed" not in rendering.everything %}
{% set refused = tied | both(condition(truth_window="k rank")) if of_users else tied %}
{% if refused.possible %}
select
    {{ sentence(ties=option("ties")) }} as message
{{ refused.where }}
{% endif %}
{% endif %}
