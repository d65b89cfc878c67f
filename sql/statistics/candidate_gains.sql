{#
about = "gains of the hits in the whole list, highest first"
over = "list"
made_with = "gain_of"
needs = ["gains", "whole_list"]
#}
{{ gains_of_hits() }}
