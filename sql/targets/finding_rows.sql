{# The rows with one finding. #}
{{ rows }}
