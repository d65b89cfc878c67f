// A worker: Parquet and JSON as a stream of Arrow. DuckDB's own readers are extensions that the browser would have to download.
import { Float64, Int64, makeData, makeVector, Table, tableToIPC, Utf8 } from "apache-arrow";
import { parquetMetadataAsync, parquetRead, parquetSchema } from "hyparquet";
import { compressors } from "hyparquet-compressors";

onmessage = async ({ data: { file, kind, role, most, columns } }) => {
    try {
        const { parts, form, rows } = await (kind === "parquet" ? parquet(file, columns, most) : json(file, role));
        if (rows > most) return postMessage({ rows });
        if (rows === 0) return postMessage({ error: "it has no rows; give one for each item of a list" });
        const arrow = new Table(Object.fromEntries(Object.entries(parts).map(([name, chunks]) => [name, vector(chunks)])));
        const stream = tableToIPC(arrow, "stream");
        postMessage({ stream, form }, [stream.buffer]);
    } catch (error) {
        postMessage({ error: `it can't be read as ${kind === "json" ? "JSON" : "Parquet"}: ${error.message}` });
    }
};

/** The chunks of the columns that have a role, or of all if none has one. Texts stay bytes in UTF-8. */
async function parquet(file, wanted, most) {
    const buffer = { byteLength: file.size, slice: (from, to) => file.slice(from, to).arrayBuffer() };
    const metadata = await parquetMetadataAsync(buffer), rows = Number(metadata.num_rows);
    const every = parquetSchema(metadata).children.map((one) => one.element.name);
    const known = every.filter((one) => wanted.includes(one.toLowerCase())), columns = known.length > 1 ? known : every;
    if (rows > most || rows === 0) return { rows };
    const parts = Object.fromEntries(columns.map((one) => [one, []]));
    const parsers = { stringFromBytes: (bytes) => bytes };
    await parquetRead({ file: buffer, metadata, columns, compressors, parsers, onChunk: (chunk) => parts[chunk.columnName].push(chunk) });
    for (const one of columns) parts[one] = parts[one].sort((a, b) => a.rowStart - b.rowStart).map((chunk) => chunk.columnData);
    return { parts };
}

/** The columns of an array of rows, of lines of rows, of {query: {document: score}} or of {query: [document, ...]}. */
async function json(file, role) {
    const text = await file.text();
    let given;
    try {
        given = JSON.parse(text);
    } catch {
        given = text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
    }
    const [first] = Array.isArray(given) ? [] : Object.values(given);
    if (!Object.keys(given).length) return { rows: 0 };
    if (first === undefined || typeof first !== "object") return { parts: byColumn([given].flat()) };
    const [value, place] = role === "truth" ? ["relevance", "1 as relevance"] : ["score", "cast(i.key as bigint) + 1 as rank"];
    const pairs = Object.entries(given).flatMap(([user_id, items]) => Object.entries(items).map(([key, one]) => [user_id, key, one]));
    const of_users = (item) => `(select u.key as user_id, ${item} from read_json_objects(FILE) as f, json_each(f.json) as u, json_each(u.value) as i)`;
    const scored = pairs.map(([user_id, item_id, x]) => ({ user_id, item_id, [value]: x }));
    if (!Array.isArray(first)) return { parts: byColumn(scored), form: of_users(`i.key as item_id, cast(i.value as double) as ${value}`) };
    const rows = pairs.map(([user_id, key, one]) => ({ user_id, item_id: String(one), ...(role === "truth" ? { relevance: 1 } : { rank: Number(key) + 1 }) }));
    return { parts: byColumn(rows), form: of_users(`i.value ->> '$' as item_id, ${place}`) };
}

const byColumn = (rows) => Object.fromEntries(Object.keys(Object.assign({}, ...rows.slice(0, 1000))).map((name) => [name, [rows.map((row) => row[name])]]));

/** A column of Arrow. Arrow's own builders compile code at run time, which the page's policy forbids. */
function vector(chunks) {
    if (chunks.every((one) => ArrayBuffer.isView(one))) return makeVector(chunks.length === 1 ? chunks[0] : joined(chunks));
    const all = chunks.length === 1 ? chunks[0] : chunks.flatMap((one) => Array.from(one)), { length } = all;
    const first = all.find((one) => one != null), bitmap = new Uint8Array(Math.ceil(length / 64) * 8);
    let nullCount = 0;
    for (let i = 0; i < length; i += 1) if (all[i] == null) nullCount += 1; else bitmap[i >> 3] |= 1 << (i & 7);
    const common = { length, nullCount, nullBitmap: nullCount ? bitmap : null };
    const are = (test) => all.every((one) => one == null || test(one));
    if (["bigint", "boolean"].includes(typeof first) || (typeof first === "number" && are(Number.isSafeInteger)))
        return makeVector(makeData({ ...common, type: new Int64(), data: BigInt64Array.from(all, (one) => BigInt(one ?? 0)) }));
    if (are((one) => typeof one === "number")) return makeVector(makeData({ ...common, type: new Float64(), data: Float64Array.from(all, (one) => one ?? 0) }));
    return makeVector(makeData({ ...common, type: new Utf8(), ...texts(all) }));
}

function texts(all) {
    const valueOffsets = new Int32Array(all.length + 1), encoder = new TextEncoder();
    let data = new Uint8Array(16 * all.length + 64), used = 0;
    for (let i = 0; i < all.length; i += 1) {
        const one = all[i] ?? "", text = one instanceof Uint8Array ? one : typeof one === "string" ? one : JSON.stringify(one);
        if (used + 3 * text.length > data.length) {
            const more = new Uint8Array(2 * data.length + 3 * text.length);
            more.set(data);
            data = more;
        }
        if (typeof text === "string") used += encoder.encodeInto(text, data.subarray(used)).written;
        else for (let j = 0; j < text.length; j += 1) data[used++] = text[j];
        valueOffsets[i + 1] = used;
    }
    return { valueOffsets, data: data.subarray(0, used) };
}

function joined(chunks) {
    const all = new chunks[0].constructor(chunks.reduce((sum, one) => sum + one.length, 0));
    chunks.reduce((place, one) => (all.set(one, place), place + one.length), 0);
    return all;
}
