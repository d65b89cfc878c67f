// The page: two files in, a verdict out. Every number and every judgement comes from the macros of recsql.duckdb, of which the
// page shows the rows, step by step.
import { fetched, literal, quoted, start } from "./engine.js";
import { table } from "./read.js";
import { $, curve, element, told } from "./elements.js";
import { label, section, showCounted, showFindings, showModels, showUsers, showVerdict, versus } from "./sections.js";

const given = { recs: [], truth: [] };
const tables = {}; // by role, the files that DuckDB has, and the SELECT that makes their table in the shell
let turn = 0, queue = Promise.resolve(); // a new question ends the one before it

const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
const engine = start(({ bytesLoaded, bytesTotal }) => told("engine", `starting DuckDB: ${megabytes(bytesLoaded)} of ${megabytes(bytesTotal)} MB`));
engine.then(async ({ rows }) => {
    const [{ version }] = await rows("select version() as version");
    told("engine", `DuckDB ${version.slice(1)} in this browser; nothing is sent anywhere`);
    if (document.body.dataset.state === undefined) document.body.dataset.state = "ready";
}, (error) => failed(error, "DuckDB can't be started in this browser."));

// -- what is given

for (const role of ["recs", "truth"]) {
    const input = $(role), drop = $(`drop-${role}`), over = (is) => (event) => { event.preventDefault(); drop.classList.toggle("over", is); };
    input.onchange = () => input.files.length && take(role, [...input.files]);
    Object.assign(drop, { ondragover: over(true), ondragleave: over(false) });
    drop.ondrop = (event) => { over(false)(event); if (event.dataTransfer.files.length) take(role, [...event.dataTransfer.files]); };
}
for (const id of ["metrics", "k", "baseline"]) $(id).onchange = ask;
for (const event of ["dragover", "drop"]) window.addEventListener(event, (one) => one.preventDefault()); // a file beside the areas opens no other page
$("form").onsubmit = (event) => event.preventDefault();
$("example").onclick = () => own(["example/recs.parquet"], "example/truth.parquet");
$("save").onclick = save;
$("users").ontoggle = () => $("users").open && $("users").dataset.asked && ask();

function take(role, files) {
    given[role] = files;
    $(`drop-${role}`).classList.remove("wrong");
    told(`told-${role}`, files.map((file) => file.name).join(", "));
    if (role === "recs") $("baseline").replaceChildren(new Option("the highest value", ""));
    return ask();
}

/** Files of the page's own folder, as if they were dropped. */
async function own(recs, truth) {
    try {
        const file = async (path) => new File([await fetched(path)], path.split("/").pop());
        const [lists, wanted] = await Promise.all([Promise.all(recs.map(file)), file(truth)]);
        given.truth = [];
        take("recs", lists);
        take("truth", [wanted]);
    } catch (error) {
        failed(error);
    }
}

const asked = new URLSearchParams(location.hash.slice(1)); // as in #recs=example/recs.parquet&truth=example/truth.parquet&k=10
for (const id of ["metrics", "k"]) if (asked.has(id)) $(id).value = asked.get(id);
if (asked.has("recs") && asked.has("truth")) own(asked.getAll("recs"), asked.get("truth"));

// -- the steps

function ask() {
    if (!given.recs.length || !given.truth.length) return;
    const mine = (turn += 1);
    document.body.dataset.state = "busy";
    document.body.classList.add("busy", "given");
    queue = queue.then(async () => {
        if (mine !== turn) return;
        try {
            await answer(mine);
        } catch (error) {
            if (mine === turn) failed(error);
        }
    });
}

/** Asks the macros one after the other, and shows the rows of each as soon as they are there. */
async function answer(mine) {
    const { rows, ...rest } = await engine, began = performance.now();
    const form = { k: names($("k").value), metrics: names($("metrics").value) };
    for (const role of ["recs", "truth"]) {
        const files = given[role], called = files.map((file) => file.name).join(", ");
        $(`drop-${role}`).classList.remove("wrong");
        told(`told-${role}`, called);
        step(`reading ${called}`);
        try {
            if (tables[role]?.files !== files) tables[role] = { files, sql: await table({ rows, ...rest }, files, role) };
        } catch (error) {
            throw Object.assign(error, { role });
        }
    }
    const queries = [];
    const from = async (word, call, show) => {
        if (mine !== turn) return [];
        step(word);
        queries.push(call);
        const found = await rows(call);
        if (mine === turn) await show?.(found);
        return found;
    };
    const [metric, k] = [form.metrics, form.k].map(([first]) => literal(first ?? ""));
    const call = (macro, more) => `from recsql.${macro}('recs', 'truth', ${more})`;
    const findings = await from("checking the data", call("check", `k := ${k}`), showFindings);
    const values = await from("measuring", call("evaluate_with_interval", `k := ${list(form.k)}, metrics := ${list(form.metrics)}`), listModels);
    if (mine !== turn) return;
    const main = values[0], models = ranked(values, main), at = label(main), chosen = $("baseline").value, baseline = chosen || models[0];
    const by = chosen ? `, baseline := ${literal(chosen)}` : "", against = `, baseline := ${literal(baseline)}`;
    await from("judging", call("verdict", `k := ${k}, metric := ${metric}${by}`), (lines) => showVerdict(lines, findings, values, main, models));
    const pairs = models.length > 1 ? await from("comparing", call("compare", `k := ${k}, metrics := ${metric}${against}`)) : [];
    if (mine === turn) showModels(values, pairs, at, models, baseline);
    await from("counting users", "from recsql.counted('recs', 'truth')", showCounted);
    const depth = main.k ?? 10, cutoffs = [...new Set(Array.from({ length: 20 }, (_, i) => Math.max(1, Math.round(((i + 1) * depth) / 10))))];
    const over = call("evaluate", `k := [${cutoffs.join(", ")}], metrics := ${metric}`);
    await from("drawing the curve", over, (found) => section("curve", curve(found, models, main.metric)));
    if ($("users").open) {
        const [{ column }] = await rows(`select recsql.steps.meaning(${metric}) as column`); // rr of mrr
        const single = worst(column, k, versus(models, baseline), models.length > 1 ? baseline : undefined);
        await from("looking at single users", single, (found) => showUsers(found, models, baseline, ask));
    }
    if (mine !== turn) return;
    $("users").dataset.asked = "yes";
    const views = ["recs", "truth"].map((role) => `create view ${role} as\n${tables[role].sql};`);
    const shell = ["attach 'recsql.duckdb' as recsql (read_only);", ...views, ...queries.map((one) => `${one};`)];
    section("sql", element("pre", shell.join("\n\n"), "", { tabIndex: 0 }));
    told("progress", `Done in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
    document.body.classList.remove("busy");
    $("save").hidden = false;
    document.body.dataset.state = "done";
}

const names = (text) => text.split(",").map((one) => one.trim()).filter(Boolean);
const list = (words) => `[${words.map(literal).join(", ")}]`;
const ranked = (values, main) => values.filter((row) => label(row) === label(main)).sort((a, b) => b.value - a.value).map((row) => row.model);

/** The users for whom a model is furthest below the baseline, or lowest if it is alone: their values, lists and missed items. */
function worst(metric, k, model, baseline) {
    const paired = baseline !== undefined, models = paired ? `\n    and h.model in (${literal(model)}, ${literal(baseline)})` : "";
    const pair = `a.value, b.value as baseline_value, a.value - b.value as difference
    from of_user as a
    inner join of_user as b on a.user_id = b.user_id and a.model = ${literal(model)} and b.model = ${literal(baseline)}
    order by difference, a.user_id`;
    const alone = `a.value, null as baseline_value, null as difference
    from of_user as a
    order by a.value, a.user_id`;
    return `with of_user as (
    select p.user_id, p.model, p.${quoted(metric)} as value
    from recsql.per_user('recs', 'truth', k := ${k}) as p
),
worst as (
    select a.user_id, ${paired ? pair : alone}
    limit 10
)
select
    cast(w.user_id as varchar) as user_id, w.value, w.baseline_value, w.difference,
    h.model, cast(h.item_id as varchar) as item_id, h.rank, h.hit
from worst as w
inner join recsql.hits('recs', 'truth', k := ${k}, missed := true) as h
    on h.user_id = w.user_id${models}
order by w.difference, w.value, w.user_id, h.model, h.rank`;
}

function listModels(values) {
    const models = [...new Set(values.map((row) => row.model))].filter((one) => one !== null);
    if ($("baseline").length === 1) $("baseline").append(...models.map((one) => new Option(one, one)));
}

const step = (word) => told("progress", word && `${word[0].toUpperCase()}${word.slice(1)} …`);

/** A refusal, in the words of the macros, beside the files that it is about. */
function failed(error, headline = "These tables can't be evaluated.") {
    const text = String(error.message ?? error).split("\nLINE")[0].replace(/^([\w ]+ )?Error: /, "");
    const role = error.role ?? /^(recs|truth)\b/.exec(text)?.[1], names = role && given[role].map((file) => file.name).join(", ");
    if (role) told(`told-${role}`, error.role ? text : `${names}: ${text.replace(/^(recs|truth): /, "")}`);
    if (role) $(`drop-${role}`).classList.add("wrong");
    told("headline", headline);
    $("sentences").replaceChildren(element("p", text, "lead"));
    step("");
    $("sections").hidden = true;
    document.body.classList.remove("busy");
    document.body.dataset.state = "failed";
}

/** The page as it is, as one file without scripts. */
function save() {
    const copy = document.documentElement.cloneNode(true);
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText);
    for (const one of copy.querySelectorAll("script, link, form, label")) one.remove();
    copy.querySelector("meta[http-equiv]").content = "default-src 'none'; style-src 'unsafe-inline'";
    copy.querySelector("head").append(element("style", rules.join("\n")));
    const file = new Blob(["<!DOCTYPE html>\n", copy.outerHTML], { type: "text/html" });
    const link = element("a", "", "", { href: URL.createObjectURL(file), download: "recsql.html" });
    link.click();
    URL.revokeObjectURL(link.href);
}

if ("serviceWorker" in navigator && location.protocol.startsWith("http")) navigator.serviceWorker.register("offline.js");
