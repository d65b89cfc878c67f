{# The rows that have one finding. #}
{{ rows }}
