{#
message = "{table}: {column} is {kind}; it must be a date or a time, such as to_timestamp({column}) makes of seconds since 1970"
#}
