// Elements of the page: tables, sections and the two drawings. Cells keep the value behind their text as data-v.
export const $ = (id) => document.getElementById(id);
export const told = (id, text) => { $(id).textContent = text; };
export const count = (x) => x.toLocaleString("en");
export const value = (x) => (x === null ? "" : x.toFixed(4));
export const signed = (x) => (x === null ? "" : (x < 0 ? "-" : "+") + Math.abs(x).toFixed(4));
export const named = (model) => model ?? "the model";

const COLOURS = 6; // of lines, in page.css; further models have the same with dashes

export function element(tag, inner = "", look = "", more = {}) {
    const made = Object.assign(document.createElement(tag), more);
    if (look) made.className = look;
    made.append(...[inner].flat());
    return made;
}

export function cell(text, exact, look = "") {
    const made = element("td", text, look);
    if (exact !== undefined && exact !== null) made.dataset.v = exact;
    return made;
}

/** Both ends of an interval in a cell. */
export function ends(low, high, form) {
    const made = cell(low === null ? "" : `[${form(low)}, ${form(high)}]`, low);
    if (high !== null) made.dataset.high = high;
    return made;
}

/** A table. The first cell of a row names it; a head that begins with < has its column to the left. */
export function grid(heads, rows, { caption = "", look = "" } = {}) {
    const head = (one) => (one instanceof Node ? one : element("th", one.replace("<", ""), one[0] === "<" ? "text" : "", { scope: "col" }));
    const row = ([name, ...cells]) => element("tr", [element("th", name, "long", { scope: "row" }), ...cells.map((one) => (one instanceof Node ? one : element("td", one)))]);
    const table = element("table", [element("thead", element("tr", heads.map(head))), element("tbody", rows.map(row))], look);
    if (caption) table.prepend(element("caption", element("span", caption)));
    return element("div", table, "scroll", { tabIndex: 0, role: "region", ariaLabel: caption || heads.join(", ").replaceAll("<", "") });
}

export const details = (title, inner) => element("details", [element("summary", title), ...[inner].flat()]);

export function svg(tag, attributes, ...inner) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, text] of Object.entries(attributes)) made.setAttribute(key, text);
    made.append(...inner);
    return made;
}

/** The share of a whole, as a bar with its percentage. */
export function share(part) {
    const percent = Math.round(100 * part);
    const bar = svg("svg", { class: "bar", "aria-hidden": "true", width: 160, height: 8 }, svg("rect", { width: `${percent}%`, height: 8 }));
    return cell([bar, ` ${percent} %`], part, "text");
}

/** The differences from the baseline, as points with their intervals on one scale. */
export function forest(pairs, at, baseline) {
    const low = Math.min(0, ...pairs.map((one) => one.low ?? one.difference));
    const high = Math.max(0, ...pairs.map((one) => one.high ?? one.difference));
    const place = (x) => `${(100 * (x - low)) / (high - low || 1)}%`;
    const line = (from, to, y1, y2, look) => svg("line", { x1: place(from), x2: place(to), y1, y2, class: look, stroke: "currentColor" });
    const range = (pair) => {
        const shown = ["higher", "lower"].includes(pair.verdict);
        const point = svg("circle", { cx: place(pair.difference), cy: 11, r: 4.5, fill: shown ? "currentColor" : "none" });
        const interval = pair.low === null ? [] : [line(pair.low, pair.high, 11, 11, "")];
        const drawn = svg("g", { class: shown ? "shown" : "hollow", stroke: "currentColor", "stroke-width": 2 }, ...interval, point);
        return element("td", svg("svg", { "aria-hidden": "true", width: 300, height: 22 }, line(0, 0, -6, 28, "zero"), drawn), "range");
    };
    const rows = pairs.map((pair) => [
        named(pair.model), range(pair), cell(signed(pair.difference), pair.difference), ends(pair.low, pair.high, signed),
        cell(probability(pair.p), pair.p), cell(probability(pair.p_adjusted), pair.p_adjusted),
        cell([pair.wins, pair.ties, pair.losses].map(count).join(" / "), `${pair.wins} ${pair.ties} ${pair.losses}`),
    ]);
    const middle = element("th", element("span", [element("span", "lower"), element("span", "higher")], "ends"), "range", { scope: "col" });
    const caption = `${at}: difference from ${baseline}, user by user. A hollow point stands for a difference that is not shown.`;
    return grid([`against ${baseline}`, middle, "difference", "95 % interval", "p", "adjusted p", "higher / equal / lower"], rows, { caption, look: "forest" });
}

const probability = (p) => (p === null ? "" : p < 1e-4 ? "< 0.0001" : p.toPrecision(2).replace(/^1\.0$/, "1"));

/** A metric at several cut-offs, a line for each model with its name at the end. */
export function curve(rows, models, metric) {
    const wide = Math.max(320, Math.min(980, $("curve").clientWidth)), tall = 300, right = Math.min(180, wide / 3), left = 52;
    const ks = [...new Set(rows.map((row) => row.k))].sort((a, b) => a - b), most = Math.max(...rows.map((row) => row.value)) || 1;
    const x = (k) => left + ((wide - left - right) * (k - ks[0])) / (ks.at(-1) - ks[0] || 1), y = (v) => tall - 40 - ((tall - 56) * v) / most;
    const text = (words, attributes) => svg("text", { "font-size": 12, fill: "currentColor", ...attributes }, words);
    const axis = [0, most / 2, most].flatMap((v) => [
        svg("line", { class: "rule", x1: left, x2: wide - right, y1: y(v), y2: y(v) }),
        text(v.toFixed(v < 0.1 ? 3 : 2), { x: left - 8, y: y(v) + 4, "text-anchor": "end", class: "dim" }),
    ]);
    const shown = ks.filter((k, i) => i === 0 || i === ks.length - 1 || (i + 1) % 5 === 0);
    const below = (words, at, dy) => text(words, { x: at, y: tall - dy, "text-anchor": "middle", class: "dim" });
    axis.push(...shown.map((k) => below(String(k), x(k), 20)), below("k", (left + wide - right) / 2, 4));
    const of_model = (model) => rows.filter((row) => row.model === model).sort((a, b) => a.k - b.k);
    const last = models.map((model, i) => ({ model, i, of: of_model(model) })).filter(({ of }) => of.length);
    let free = -Infinity; // the names, from the top, at least a line apart
    const names = last.toSorted((a, b) => b.of.at(-1).value - a.of.at(-1).value).map(({ model, i, of }) => {
        free = Math.max(free + 15, y(of.at(-1).value) + 4);
        const letters = [...named(model)], short = letters.length > right / 8 ? `${letters.slice(0, right / 8).join("")}…` : named(model);
        return text(short, { x: wide - right + 8, y: free, class: `line-${i % COLOURS}` });
    });
    const points = (of) => of.map((row) => `${x(row.k).toFixed(1)},${y(row.value).toFixed(1)}`).join(" ");
    const look = (i) => ({ class: `line-${i % COLOURS}`, "stroke-dasharray": i < COLOURS ? "" : "5 4" });
    const lines = last.map(({ i, of }) => svg("polyline", { ...look(i), points: points(of) }));
    const told = `${metric} of ${last.length} models from k = ${ks[0]} to ${ks.at(-1)}; the numbers are below`;
    const drawn = { viewBox: `0 0 ${wide} ${Math.max(tall, free + 12)}`, width: wide, role: "img", "aria-label": told };
    const at = (k, model) => rows.find((row) => row.k === k && row.model === model)?.value ?? null;
    const numbers = ks.map((k) => [String(k), ...models.map((model) => cell(value(at(k, model)), at(k, model)))]);
    return [element("figure", svg("svg", drawn, ...axis, ...lines, ...names)), details("The numbers", grid(["k", ...models.map(named)], numbers))];
}
