{# Below this, a comparison has few users: its interval may be too narrow, and with looks = many there is none. #}
{% set fewest = {"users": 50, "differing": 20} %}
