// DuckDB in a worker, with recsql.duckdb attached. Every file comes from the folder of this page.
import { AsyncDuckDB, VoidLogger } from "@duckdb/duckdb-wasm";

const here = (path) => new URL(path, document.baseURI).href;

/** A worker that runs a script of this folder. It is made from a blob, so that it inherits the page's Content-Security-Policy. */
export function worker(script) {
    const source = new Blob([`importScripts(${JSON.stringify(here(script))});`], { type: "text/javascript" });
    return new Worker(URL.createObjectURL(source));
}

export async function fetched(path) {
    const answer = await fetch(here(path));
    if (!answer.ok) throw new Error(`${path}: the server answered ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
}

/** Starts DuckDB with the macros; `progress` is told the bytes of it that are here. */
export async function start(progress) {
    const macros = fetched("recsql.duckdb");
    const database = new AsyncDuckDB(new VoidLogger(), worker("duckdb-browser-eh.worker.js"));
    await database.instantiate(here("duckdb-eh.wasm"), null, progress);
    await database.open({ query: { castBigIntToDouble: true, castDecimalToDouble: true } });
    await database.registerFileBuffer("recsql.duckdb", await macros);
    const connection = await database.connect();
    // without a network, a query that needs an extension would wait for its download
    await connection.query("set autoinstall_known_extensions = false; set autoload_known_extensions = false");
    await connection.query("attach 'recsql.duckdb' as recsql (read_only)");
    const rows = async (sql) => (await connection.query(sql)).toArray().map((row) => row.toJSON());
    return { database, connection, rows };
}

export const literal = (text) => `'${String(text).replaceAll("'", "''")}'`;
export const quoted = (name) => `"${String(name).replaceAll('"', '""')}"`;
