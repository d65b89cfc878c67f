// Makes the page in the folder dist: node build.mjs ROOT recsql.duckdb, where ROOT is the checkout.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { withoutSymbols } from "./shrink.mjs";

const [root, macros] = process.argv.slice(2), duckdb = "node_modules/@duckdb/duckdb-wasm/dist", worker = `${duckdb}/duckdb-browser-eh.worker.js`;
rmSync("dist", { recursive: true, force: true });
mkdirSync("dist/example", { recursive: true });
const options = { outdir: "dist", bundle: true, minify: true, target: "es2023", legalComments: "none" };
await build({ ...options, entryPoints: ["page.js"], format: "esm" });
await build({ ...options, entryPoints: ["decode.js"], format: "iife" });
const example = `${root}/examples/movietweetings`;
for (const [from, to] of [
    ["index.html", "index.html"], ["page.css", "page.css"], [`${root}/recsql/page/page.css`, "report.css"], [macros, "recsql.duckdb"],
    [worker, "duckdb-browser-eh.worker.js"], [`${example}/recs.parquet`, "example/recs.parquet"], [`${example}/truth.parquet`, "example/truth.parquet"],
]) cpSync(from, `dist/${to}`);
writeFileSync("dist/duckdb-eh.wasm", withoutSymbols(readFileSync(`${duckdb}/duckdb-eh.wasm`), readFileSync(worker, "utf8")));
writeFileSync("dist/NOTICE", notice());
const files = readdirSync("dist").filter((one) => one.includes(".")).sort(), hash = createHash("sha256");
for (const one of files) hash.update(readFileSync(`dist/${one}`));
const given = { VERSION: hash.digest("hex").slice(0, 12), FILES: JSON.stringify(["./", ...files]) };
writeFileSync("dist/offline.js", readFileSync("offline.js", "utf8").replace(/VERSION(?=")|FILES(?=\))/g, (name) => given[name]));

/** The licences of what is bundled. */
function notice() {
    const packages = ["@duckdb/duckdb-wasm", "apache-arrow", "hyparquet", "hyparquet-compressors"];
    return packages.map((name) => {
        const folder = `node_modules/${name}`, { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
        const texts = readdirSync(folder).filter((one) => /^(licen[cs]e|notice)/i.test(one)).map((one) => readFileSync(`${folder}/${one}`, "utf8").trim());
        return [`${name} ${version}, ${license}`, ...texts].join("\n\n");
    }).join(`\n\n${"-".repeat(80)}\n\n`);
}
