"""Makes the tables of this folder from `documents/`: python examples/rag/make.py. It needs nothing but Python.

Two chunkers cut the same documents, and one scorer of words ranks the chunks of each, so the lists differ only in the chunks.
"""

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in sorted((HERE / "documents").glob("*.md"))}
DEPTH = 8  # chunks of a list
# Each question, and the quotes that answer it.
QUESTIONS = {
    "How long is a ride free, and what does it cost then?": {
        "renting.md": ["The first 15 minutes of each ride are free. After that a ride costs 10 cents a minute"]
    },
    "What happens if the station is full?": {
        "renting.md": ["the app shows the next one with free places and adds 10 free minutes"]
    },
    "Can my daughter ride an electric bicycle?": {"renting.md": ["Electric bicycles have a minimum age of 16"]},
    "What do electric bicycles cost with a subscription?": {
        "renting.md": ["they cost 18 cents a minute from the first minute on"],
        "subscription.md": ["adds 20 free minutes on electric bicycles"],
    },
    "I left the bicycle outside of a station because of a flat tyre. Do I pay a fee?": {
        "damage.md": ["the fee for parking outside of a station is waived"],
        "renting.md": ["a bicycle that is left elsewhere costs a fee of 8 euros"],
    },
    "Can I pay with a prepaid card?": {"payment.md": ["Prepaid cards are refused"]},
    "When do I get my invoice, and can I change the address on it?": {
        "payment.md": ["Invoices are sent on the first day of each month", "write to us before the end of the month"]
    },
    "Why is my account locked?": {
        "payment.md": ["If a payment fails, your account is locked until the open amount is paid"],
        "account.md": ["After five wrong passwords, the account is locked for 30 minutes"],
    },
    "How much do I pay after an accident?": {
        "damage.md": ["your share is at most 150 euros for each accident", "A tariff with full cover, at 3 euros a month"]
    },
    "Whom do I call after an accident?": {"damage.md": ["call 112. Then call our hotline, 0800 555 0142, within 24 hours"]},
    "How do I change my email address if I lost the old one?": {
        "account.md": [
            "If you can't read mail at the old address any more, call the hotline and have your customer number at hand"
        ]
    },
    "How long do you keep my rides?": {
        "account.md": ["Rides are kept for ten years"],
        "privacy.md": ["Positions of rides are deleted after 14 days"],
    },
    "Until when can I cancel the yearly subscription?": {
        "subscription.md": ["cancel the monthly one up to one day before it renews, and the yearly one up to one month before"]
    },
    "Is there a discount for students?": {"subscription.md": ["Students get a third off both"]},
    "Can I stop paying in winter?": {"subscription.md": ["You can pause a subscription once a year for at most three months"]},
    "Does the city see where I ride?": {
        "privacy.md": ["The city gets counts of rides between districts, never single rides, and no count below ten"]
    },
}
IDS = {f"q{number:02}": question for number, question in enumerate(QUESTIONS, start=1)}


def chunks(size: int) -> Iterator[tuple[str, int, int]]:
    """Ranges of whole sentences that are at most `size` characters long, or one longer sentence."""
    for document, text in TEXTS.items():
        start = end = 0
        for sentence in re.finditer(r"[^\s].*?(?:[.:?](?=\s)|\n(?=\n)|$)", text, re.DOTALL):
            if end and sentence.end() - start > size:
                yield document, start, end
                start = sentence.start()
            end = sentence.end()
        yield document, start, end


def words(text: str) -> list[str]:
    return [word.removesuffix("s") for word in re.findall(r"[a-z0-9]+", text.lower())]


def lists(found: list[tuple[str, int, int]]) -> Iterator[list[object]]:
    """The best chunks of each question by BM25, with their tokens, which are words here."""
    counts = [Counter(words(TEXTS[document][start:end])) for document, start, end in found]
    frequency = Counter(word for count in counts for word in count)
    mean = sum(count.total() for count in counts) / len(counts)
    for user, question in IDS.items():
        scores = []
        for count in counts:
            weights = {
                word: math.log(1 + (len(counts) - frequency[word] + 0.5) / (frequency[word] + 0.5)) for word in words(question)
            }
            length = 0.25 + 0.75 * count.total() / mean
            scores.append(sum(weight * count[word] * 2.2 / (count[word] + 1.2 * length) for word, weight in weights.items()))
        best = sorted(range(len(found)), key=lambda place: (-round(scores[place], 9), place))[:DEPTH]
        for rank, place in enumerate(best, start=1):
            document, start, end = found[place]
            yield [user, f"{document}#{start}", document, start, end, rank, len(TEXTS[document][start:end].split())]


def write(name: str, columns: str, rows: Iterator[list[object]]) -> None:
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([columns.split(), *rows])


def spans() -> Iterator[list[object]]:
    for user, question in IDS.items():
        for document, quotes in QUESTIONS[question].items():
            for quote in quotes:
                start = TEXTS[document].index(quote)
                yield [user, document, start, start + len(quote)]


for chunker, size in {"small": 160, "large": 600}.items():
    cut = [*chunks(size)]
    write(f"{chunker}.csv", "user_id item_id document start end rank tokens", lists(cut))
    write(f"{chunker}_chunks.csv", "item_id document start end", ([f"{one[0]}#{one[1]}", *one] for one in cut))
write("spans.csv", "user_id document start end", spans())
(HERE / "questions.jsonl").write_text(
    "".join(f"{json.dumps({'user_id': user, 'text': question})}\n" for user, question in IDS.items()), encoding="utf-8"
)
