for (const table of document.querySelectorAll("table.sorts")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, place) => {
        const button = document.createElement("button");
        button.append(...head.childNodes);
        head.append(button);
        button.onclick = () => {
            const down = head.getAttribute("aria-sort") !== "descending";
            heads.forEach((other) => other.removeAttribute("aria-sort"));
            head.setAttribute("aria-sort", down ? "descending" : "ascending");
            const key = (row) => row.cells[place].dataset.v ?? row.cells[place].textContent.trim();
            const order = (a, b) => (isNaN(a) || isNaN(b) || a === "" || b === "" ? a.localeCompare(b) : a - b);
            const rows = [...table.tBodies[0].rows].sort((a, b) => order(key(a), key(b)) * (down ? -1 : 1));
            table.tBodies[0].append(...rows);
        };
    });
}
