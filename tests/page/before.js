// Runs before the page: keeps its workers with what they are sent, and what is saved.
window.workers = [];
window.Worker = class extends Worker {
    constructor(...given) {
        super(...given);
        window.workers.push(this);
    }
    postMessage(message, ...more) {
        this.last = message;
        super.postMessage(message, ...more);
    }
};
const made = URL.createObjectURL;
URL.createObjectURL = (blob) => {
    window.saved = blob;
    return made.call(URL, blob);
};
