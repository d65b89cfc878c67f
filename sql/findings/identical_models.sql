{#
about = "the lists up to k are those of another model"
matters = "they are one model under two names, or one file was read twice"
advice = "check the paths and names of both models"
severity = {warning = "f.found >= 0.99 * f.total"}
said = "warning from 99 % of the users with a list of both"
unit = "users"
table = "recs"
column = "model"
when = "modelled"
#}
select
    b.model,
    count(case when a.top = b.top then 1 end) as found,
    count(*) as total,
    a.model as example
from list_facts as a
inner join list_facts as b on b.user_id = a.user_id and b.model > a.model
group by a.model, b.model
{# rows #}
select a.model as model, b.model as same_as, a.user_id
from list_facts as a
inner join list_facts as b on b.user_id = a.user_id and b.model > a.model
where a.top = b.top
