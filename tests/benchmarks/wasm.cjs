// Loads the macro file into DuckDB-Wasm, and evaluates two tables there. It is run by hand, in a folder with the package and with
// the tables as recs.csv and truth.csv, because the build for Node downloads what reads Parquet:
//
//     npm install @duckdb/duckdb-wasm@1.33.1-dev65.0
//     for name in recs truth; do duckdb -c "copy (from 'ROOT/examples/movietweetings/$name.parquet') to '$name.csv'"; done
//     node ROOT/tests/benchmarks/wasm.cjs ROOT/sql/recsql.sql
const fs = require("fs");
const path = require("path");
const folder = path.join(process.cwd(), "node_modules/@duckdb/duckdb-wasm/dist");
const duckdb = require(path.join(folder, "duckdb-node-blocking.cjs"));

async function main(file) {
    const bundles = {
        mvp: { mainModule: path.join(folder, "duckdb-mvp.wasm"), mainWorker: path.join(folder, "duckdb-node-mvp.worker.cjs") },
        eh: { mainModule: path.join(folder, "duckdb-eh.wasm"), mainWorker: path.join(folder, "duckdb-node-eh.worker.cjs") },
    };
    const db = await duckdb.createDuckDB(bundles, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME);
    await db.instantiate();
    const connection = db.connect();
    const timed = (what, run) => {
        const start = performance.now();
        const found = run();
        console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(2)} s`);
        return found;
    };
    console.log(connection.query("select version() as version").toArray()[0].version);
    timed("the macro file loads", () => connection.query(fs.readFileSync(file, "utf-8")));
    for (const name of ["recs", "truth"]) {
        db.registerFileBuffer(`${name}.csv`, new Uint8Array(fs.readFileSync(`${name}.csv`)));
        connection.query(`create table ${name} as from read_csv('${name}.csv', types = {'item_id': 'VARCHAR'})`);
    }
    const query = "select model, metric, k, value, users from recsql.evaluate('recs', 'truth', k := 10)";
    for (const times of ["first", "second"]) {
        const rows = timed(`evaluate, the ${times} time`, () => connection.query(query).toArray());
        if (times === "second") rows.forEach((row) => console.log(row.model, row.metric, row.k, row.value, Number(row.users)));
    }
}

main(...process.argv.slice(2)).catch((error) => {
    console.error(error);
    process.exit(1);
});
