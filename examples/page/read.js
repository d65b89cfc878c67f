// A dropped file as a table of DuckDB, and the same rows as SQL for the shell. DuckDB reads CSV and TREC's files; decode.js reads
// Parquet and JSON.
import { DuckDBDataProtocol } from "@duckdb/duckdb-wasm";
import { literal, quoted, worker } from "./engine.js";

const MOST = 5e6; // rows that a browser has the memory for
const ALIASES = { // what other tools call the columns
    user_id: ["user_id", "user", "userid", "uid", "query_id", "query-id", "qid", "query", "topic"],
    item_id: ["item_id", "item", "itemid", "iid", "doc_id", "docid", "document", "corpus-id", "corpus_id", "docno"],
};
const OTHERS = { // columns that are read by these names alone; the check has a word about relevance by another name
    recs: ["model", "rank", "score"],
    truth: ["relevance", "score", "grade", "label", "rel", "gain", "rating", "stars"],
};
const CSV = "header = true, skip = 0, comment = ''"; // as the command line reads it
const TREC = { run: "recsql.read_trec_run", qrels: "recsql.read_trec_qrels" };
const called = {}; // the name of each file, by the one that DuckDB knows it by
let decoder, files = 0;

/** Makes the table of a role from its files, and returns the SELECT that makes it in the shell. */
export async function table(engine, given, role) {
    const parts = [], union = (key) => parts.map((one) => one[key]).join("\nunion all by name\n");
    try {
        for (const file of given) parts.push(await part(engine, file, role, given.length > 1));
        await engine.rows(`create or replace temp table ${role} as ${union("sql")}`);
    } catch (error) {
        throw new Error(error.message.replace(/\bfile_\d+\b/g, (handle) => called[handle] ?? handle));
    }
    const [{ rows }] = await engine.rows(`select count(*) as rows from ${role}`);
    if (rows > MOST) throw tooMany(given.map((file) => file.name).join(", "), rows);
    for (const one of parts) await one.drop();
    return union("shell");
}

/** The rows of one file. Among several files, a file without a column model is a model with its name: tools give all runs one tag. */
async function part(engine, given, role, several) {
    const { name } = given, file = await unpacked(given), kind = await kindOf(file), handle = `file_${(files += 1)}`;
    called[handle] = name;
    if (!file.size) throw new Error(`${name}: the file is empty; its first line must name the columns`);
    await refuseLarge(file, kind);
    let from = handle, shell = literal(name);
    if (kind === "parquet" || kind === "json") {
        const { stream, form } = await decoded(file, kind, role);
        await engine.connection.insertArrowFromIPCStream(stream, { name: handle, create: true });
        if (form) shell = form.replace("FILE", () => literal(name));
    } else await engine.database.registerFileHandle(handle, file, DuckDBDataProtocol.BROWSER_FILEREADER, true);
    if (kind in TREC) [from, shell] = [handle, name].map((one) => `${TREC[kind]}(${literal(one)})`);
    if (kind === "csv") {
        const how = await options(engine, handle);
        [from, shell] = [handle, name].map((one) => `read_csv(${literal(one)}, ${how})`);
    }
    const found = (await engine.rows(`describe from ${from}`)).map((column) => column.column_name);
    const named = role === "recs" && several && (kind === "run" || found.every((one) => one.toLowerCase() !== "model")) ? `${literal(file.name.replace(/\.\w+$/, ""))} as model` : "";
    const list = [named, ...columns(found, role).filter((one) => !named || one !== "model")].filter(Boolean).join(", ");
    const drop = () => (kind === "csv" || kind in TREC ? engine.database.dropFile(handle) : engine.rows(`drop table ${handle}`));
    return { sql: `select ${list} from ${from}`, shell: `select ${list} from ${shell}`, drop };
}

/** The columns of a role, with recsql's names for them; a column that is missing is left to the macros, which say so. */
function columns(found, role) {
    const theirs = Object.fromEntries(found.map((one) => [one.toLowerCase(), one]));
    const ids = Object.entries(ALIASES).map(([ours, names]) => [ours, theirs[names.find((one) => one in theirs)]]).filter(([, one]) => one);
    if (ids.length < 2) return found.map(quoted);
    const beir = role === "truth" && "query-id" in theirs && !("relevance" in theirs); // its judgements are called score
    const rest = OTHERS[role].filter((one) => one in theirs).map((one) => (beir && one === "score" ? "score as relevance" : one));
    return [...ids.map(([ours, one]) => (ours === one ? ours : `${quoted(one)} as ${ours}`)), ...rest];
}

/** The options for a CSV file: ids are whole numbers or texts, so that 3.10 or a date stays as it is written. */
async function options(engine, handle) {
    const names = Object.values(ALIASES).flat(), found = await engine.rows(`describe from read_csv(${literal(handle)}, ${CSV})`);
    const other = found.filter((one) => names.includes(one.column_name.toLowerCase()) && !["BIGINT", "VARCHAR"].includes(one.column_type));
    return other.length ? `${CSV}, types = {${other.map((one) => `${literal(one.column_name)}: 'VARCHAR'`).join(", ")}}` : CSV;
}

async function unpacked(file) {
    if (!file.name.endsWith(".gz")) return file;
    return new File([await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob()], file.name.slice(0, -3));
}

/** What a file is: by its ending, or by its first line. */
async function kindOf(file) {
    const ending = file.name.toLowerCase().split(".").pop();
    if (ending === "parquet" || ending === "pq") return "parquet";
    if (ending === "json" || ending === "jsonl" || ending === "ndjson") return "json";
    const fields = (await file.slice(0, 2000).text()).split("\n")[0].trim().split(/\s+/);
    if (ending === "csv" || isNaN(fields[3]) || (fields.length === 6 && isNaN(fields[4]))) return "csv";
    return { 6: "run", 4: "qrels" }[fields.length] ?? "csv";
}

/** A file of text has as many rows as its size has lines of the length of the first ones. */
async function refuseLarge(file, kind) {
    if (kind === "parquet") return; // decode.js reads its number of rows
    const sample = await file.slice(0, 65536).text(), rows = (file.size / sample.length) * (sample.split("\n").length - 1);
    if (rows > 1.5 * MOST || file.size > 5e8) throw tooMany(file.name, rows);
}

function tooMany(name, rows) {
    const way = "use the command line: recsql evaluate recs.parquet truth.parquet";
    return new Error(`${name}: it has ${Math.round(rows / 1e6)} million rows, and this page reads 5 million; ${way}`);
}

/** The rows of Parquet or JSON as a stream of Arrow, from a worker, so that the page goes on. */
function decoded(file, kind, role) {
    decoder ??= worker("decode.js");
    return new Promise((resolve, reject) => {
        decoder.onmessage = ({ data }) => {
            if (data.stream) resolve(data);
            else reject(data.error ? new Error(`${file.name}: ${data.error}`) : tooMany(file.name, data.rows));
        };
        decoder.postMessage({ file, kind, role, most: MOST, columns: [...Object.values(ALIASES), OTHERS[role]].flat() });
    });
}
