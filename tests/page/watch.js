// Runs in the page: gives it the files of each case, as if a person had chosen them, and posts what it shows.
const at = (selector) => document.querySelector(selector);
const settled = async (...states) => {
    while (!states.includes(document.body.dataset.state)) await new Promise((done) => setTimeout(done, 10));
};
const change = async (act) => {
    document.body.dataset.state = "waiting";
    act();
    await settled("done", "failed");
};
const give = (role, files) => {
    const transfer = new DataTransfer(), input = at(`#${role}`);
    for (const file of files) transfer.items.add(file);
    input.files = transfer.files;
    input.dispatchEvent(new Event("change"));
};
const cell = (one) => ({ text: one.textContent, v: one.dataset.v ?? null, high: one.dataset.high ?? null });
const rowsOf = (table) => [...table.tBodies[0].rows].map((row) => [...row.cells].map(cell));
const wide = (one) => one.scrollWidth > one.clientWidth + 1 && !one.closest(".scroll, pre, svg, select") && getComputedStyle(one).display !== "inline";
const shown = () => ({
    state: document.body.dataset.state,
    headline: at("#headline").textContent,
    sentences: [...document.querySelectorAll("#sentences p")].map((one) => one.textContent),
    told: ["recs", "truth"].map((role) => at(`#told-${role}`).textContent),
    wrong: [...document.querySelectorAll(".drop.wrong")].map((one) => one.id),
    facts: [...document.querySelectorAll("#facts dd")].map((one) => one.textContent),
    tables: Object.fromEntries(["models", "counted", "curve"].map((id) => [id, [...document.querySelectorAll(`#${id} table`)].map(rowsOf)])),
    findings: [...document.querySelectorAll("#data .finding")].map((one) => one.textContent),
    users: [...document.querySelectorAll("#users details")].map((one) => ({ v: one.dataset.v, text: one.textContent })),
    sql: at("#sql pre")?.textContent ?? "",
});

/** What the page's own DuckDB answers to a query: the messages of its worker. */
const asked = (worker, sql) =>
    new Promise((done) => {
        const { data } = worker.last, messageId = 1e6;
        worker.addEventListener("message", (event) => event.data.requestId === messageId && done(JSON.stringify(event.data.data)));
        worker.postMessage({ messageId, type: "RUN_QUERY", data: [data[0], sql] });
    });

const { cases, foreign } = await (await fetch("cases.json")).json(), found = {};
await settled("ready", "done", "failed");
found.ready = { ...shown(), seconds: performance.now() / 1000 };
for (const { name, recs, truth, metrics, k, users, baseline } of cases) {
    const files = (paths) => Promise.all(paths.map(async (path) => new File([await (await fetch(`given/${path}`)).arrayBuffer()], path.split("/").pop())));
    const [lists, [wanted]] = [await files(recs), await files([truth])];
    [at("#metrics").value, at("#k").value] = [metrics, k];
    at("#users").open = Boolean(users);
    const began = performance.now();
    await change(() => (give("recs", lists), give("truth", [wanted])));
    const seconds = (performance.now() - began) / 1000;
    if (baseline) await change(() => ((at("#baseline").value = baseline), at("#baseline").dispatchEvent(new Event("change"))));
    found[name] = { ...shown(), seconds };
}
found.layout = {
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    wide: [...document.querySelectorAll("main *")].filter(wide).map((one) => one.outerHTML.slice(0, 80)),
    unnamed: [...document.querySelectorAll("input, select")].filter((one) => !one.labels.length).map((one) => one.id),
    unreachable: [...document.querySelectorAll("input, select, button")].filter((one) => one.tabIndex < 0).map((one) => one.id),
};
if (foreign) {
    const blocked = await fetch(foreign).then(() => false, () => true), answer = await asked(window.workers[0], `from read_csv('${foreign}x.csv')`);
    await new Promise((done) => setTimeout(done, 200));
    found.foreign = { blocked, answer };
    at("#save").click();
    found.saved = await window.saved.text();
    await navigator.serviceWorker.ready;
}
found.requests = performance.getEntriesByType("resource").map((one) => one.name);
await fetch("result", { method: "POST", body: JSON.stringify(found) });
