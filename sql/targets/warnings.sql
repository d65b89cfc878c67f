{# Warnings about input that can be measured, one sentence each. #}
select w.finding, w.message
from warnings as w
