{#
about = "the smallest cut-off that includes the rank of a row `r`, from the `bands` b"
also = "item"
#}
{# Ranks beyond the largest numeric cut-off belong to the whole list, if it is requested. #}
{% set band = sql.nth("b.cutoffs", "try_cast(r.rank as bigint)") %}
{{ "coalesce(" ~ band ~ ", " ~ whole ~ ")" if uncut else band }}
