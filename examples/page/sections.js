// The sections of the page: the rows of a macro as tables, drawings and sentences. Nothing here counts or judges.
import { $, cell, count, details, element, ends, forest, grid, named, share, signed, told, value } from "./elements.js";

export const label = ({ metric, k }) => (k === null ? metric : `${metric}@${k}`);
const number = (x) => cell(count(x), x);
export const section = (id, inner) => $(id).replaceChildren($(id).firstElementChild, ...[inner].flat());

export function showVerdict(lines, findings, values, main, models) {
    const errors = kinds(findings.filter((one) => one.severity === "error")), warnings = findings.filter((one) => one.severity === "warning").length;
    const { users } = values.find((row) => row.model === models[0] && label(row) === label(main));
    const distrust = `These numbers can't be trusted: ${count(errors.length)} error${errors.length > 1 ? "s" : ""} in the data.`;
    const [headline, ...sentences] = errors.length ? [distrust, ...errors.map((rows) => `${rows[0].finding}: ${what(rows)} ${why(rows[0])}`)] : lines.map((one) => one.line);
    told("headline", headline);
    $("sentences").replaceChildren(...sentences.map((text, place) => element("p", text, place ? "" : "lead")));
    document.querySelector("header").className = errors.length ? "void" : "";
    const facts = [
        [models.length > 1 ? "models" : "model", models.length], ["users in the mean", users],
        ["errors in the data", errors.length, "error"], ["warnings", warnings, "warning"],
    ];
    $("facts").replaceChildren(...facts.map(([what, many, look]) => element("div", [element("dt", what), element("dd", count(many), many ? look : "")])));
    document.title = headline;
    $("sections").hidden = false;
}

export function showModels(values, pairs, at, models, baseline) {
    const heads = [...new Set(values.map(label))], sign = { higher: "▲", lower: "▼" };
    const valueOf = (model, head) => {
        const row = values.find((one) => one.model === model && label(one) === head);
        const verdict = head === at && pairs.find((pair) => pair.model === model)?.verdict;
        const told = sign[verdict] ? { role: "img", ariaLabel: `${verdict} than ${baseline}` } : {};
        return cell([value(row.value), element("span", sign[verdict] ?? "", "sign", told)], row.value);
    };
    const name = (model) => (model === baseline && pairs.length ? [model, " ", element("span", "baseline", "baseline")] : named(model));
    const caption = pairs.length ? `On ${at}: ▲ shown to be higher than ${baseline}, ▼ lower.` : "";
    const every = values.map((row) => [
        named(row.model), element("td", label(row), "text"), cell(value(row.value), row.value), ends(row.low, row.high, value), number(row.users),
    ]);
    section("models", [
        grid(["model", ...heads], models.map((model) => [name(model), ...heads.map((head) => valueOf(model, head))]), { caption }),
        ...(pairs.length ? [forest(pairs.toSorted((a, b) => b.difference - a.difference), at, baseline)] : []),
        details("All values with intervals", grid(["model", "<metric", "value", "95 % interval", "users"], every)),
    ]);
}

export function showCounted(rows) {
    const numbers = rows.map((row) => [
        named(row.model), number(row.users_with_truth), number(row.users_with_list), share(row.share), number(row.lists_without_truth),
    ]);
    section("counted", grid(["model", "users with truth", "with a list", "<share", "lists without truth"], numbers));
}

/** The model whose single users are shown: the chosen one, or the first. */
export function versus(models, baseline) {
    const others = models.filter((one) => one !== baseline), chosen = $("versus")?.value;
    return others.includes(chosen) ? chosen : others[0];
}

export function showUsers(rows, models, baseline, ask) {
    const others = models.filter((one) => one !== baseline), chosen = versus(models, baseline);
    const choice = element("select", others.map((one) => new Option(one, one, false, one === chosen)), "", { id: "versus", onchange: ask });
    const one = (user, found) => {
        const [{ value: mine, baseline_value, difference }] = found;
        const listOf = (model, much) => {
            const items = found.filter((row) => row.model === model), shown = items.filter((row) => row.rank !== null);
            const missed = items.filter((row) => row.rank === null).map((row) => row.item_id);
            const list = element("ol", shown.map((row) => element("li", `${row.item_id}${row.hit ? " ✓" : ""}`, row.hit ? "hit" : "")));
            const more = missed.length > 10 ? ` and ${missed.length - 10} more` : "";
            return element("div", [
                element("h4", `${named(model)}: ${value(much)}`),
                shown.length ? list : element("p", "no list", "dim"),
                ...(missed.length ? [element("p", `missed: ${missed.slice(0, 10).join("; ")}${more}`, "dim")] : []),
            ]);
        };
        const lists = difference === null ? [listOf(found[0].model, mine)] : [listOf(chosen, mine), listOf(baseline, baseline_value)];
        const made = details(`user ${user}: ${difference === null ? value(mine) : signed(difference)}`, element("div", lists, "lists"));
        made.dataset.v = difference ?? mine;
        return made;
    };
    const users = [...Map.groupBy(rows, (row) => row.user_id)].map(([user, found]) => one(user, found));
    if (users.length) users[0].open = true;
    section("users", [...(others.length > 1 ? [element("label", ["against ", baseline, ": ", choice])] : []), ...users]);
}

/** The rows of each kind of finding: one for each model. */
const kinds = (findings) => [...Map.groupBy(findings, (one) => `${one.severity} ${one.finding}`).values()];
const why = ({ advice }) => `${advice[0].toUpperCase()}${advice.slice(1)}.`;

/** What was counted for each model, with an example. */
function what(rows) {
    const part = (word, text) => (text === null ? "" : ` ${word} ${text}`);
    const quantity = (one) => `${count(one.count)}${part("of", one.of && count(one.of))} ${one.unit ?? ""}${part("of", one.model)}`.trim();
    const counted = rows.filter((one) => one.count !== null).map(quantity).join("; "), [{ example }] = rows;
    return [counted, example === null ? "" : `for example ${example}`].filter(Boolean).join(", ").replace(/.$/, "$&.");
}

export function showFindings(findings) {
    const one = (rows) => {
        const [{ severity, finding }] = rows;
        const title = element("p", [element("span", severity, `tag ${severity}`), " ", element("b", finding)]);
        return element("div", [title, element("p", what(rows)), element("p", why(rows[0]), "dim")], "finding");
    };
    section("data", findings.length ? kinds(findings).map(one) : element("p", "Nothing odd was found."));
    const many = (severity) => findings.filter((one) => one.severity === severity).length;
    told("found", ["error", "warning", "note"].filter(many).map((one) => `${count(many(one))} ${one}${many(one) > 1 ? "s" : ""}`).join(", "));
}
