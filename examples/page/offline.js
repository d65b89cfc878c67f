// After the first visit the page needs no network: the browser keeps every file of its folder, and the example once it
// was opened. The build sets VERSION and FILES.
const CACHE = "recsql-VERSION";

const install = async () => { await (await caches.open(CACHE)).addAll(FILES); await self.skipWaiting(); };
const activate = async () => {
    const old = (await caches.keys()).filter((one) => one.startsWith("recsql-") && one !== CACHE);
    await Promise.all(old.map((one) => caches.delete(one)));
    await self.clients.claim();
};
const answer = async (request) => {
    const kept = await caches.match(request, { ignoreSearch: true });
    if (kept) return kept;
    const found = await fetch(request);
    if (found.ok && request.url.includes("/example/")) await (await caches.open(CACHE)).put(request, found.clone());
    return found;
};

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => event.respondWith(answer(event.request)));
