{#
message = "{table}: {column} is a LIST; give one value per row, or a table as segments="
#}
