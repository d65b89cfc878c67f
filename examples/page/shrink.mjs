// DuckDB-Wasm exports 78,000 symbols, so that extensions can be linked to it. The page loads none: without these names the file is
// a fifth smaller and starts in half the time.

/** A WebAssembly module with only those exports that a script names. */
export function withoutSymbols(wasm, script) {
    const named = new Set(script.match(/[\w$]+/g)), parts = [wasm.subarray(0, 8)];
    for (let at = 8; at < wasm.length; ) {
        const [size, body] = unsigned(wasm, at + 1), end = body + size;
        parts.push(wasm[at] === EXPORTS ? section(wasm, body, named) : wasm.subarray(at, end));
        at = end;
    }
    return Buffer.concat(parts);
}

const EXPORTS = 7; // the section's number in the binary format

function section(wasm, body, named) {
    let [many, at] = unsigned(wasm, body);
    const kept = [];
    for (; many; many -= 1) {
        const [length, name] = unsigned(wasm, at), kind = name + length, [, end] = unsigned(wasm, kind + 1);
        if (named.has(wasm.toString("utf8", name, kind))) kept.push(wasm.subarray(at, end));
        at = end;
    }
    const entries = Buffer.concat([bytes(kept.length), ...kept]);
    return Buffer.concat([Buffer.from([EXPORTS]), bytes(entries.length), entries]);
}

/** An unsigned number in LEB128, and the place after it. */
function unsigned(wasm, at) {
    let value = 0, scale = 1;
    for (; ; at += 1, scale *= 128) {
        value += (wasm[at] & 127) * scale;
        if (wasm[at] < 128) return [value, at + 1];
    }
}

function bytes(value) {
    const made = [];
    for (; value > 127; value = Math.floor(value / 128)) made.push((value & 127) | 128);
    return Buffer.from([...made, value]);
}
