"""What the retrievers of LangChain and Haystack return, evaluated as it is. stdin has the folders of recsql and its needs."""

import json
import sys

from haystack import Document as Found
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.vectorstores import InMemoryVectorStore

sys.path += json.load(sys.stdin)
import recsql

TEXTS = {"d1": "a cat", "d2": "a dog", "d3": "a cat and a cat"}
vectors = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
vectors.add_texts([*TEXTS.values()], ids=[*TEXTS])
words = InMemoryDocumentStore()
words.write_documents([Found(id=name, content=text) for name, text in TEXTS.items()])
named = [Document(text, metadata={"id": name}) for name, text in TEXTS.items()]
lists = {
    "langchain": vectors.as_retriever().invoke(TEXTS["d2"]),
    "langchain with scores": vectors.similarity_search_with_score(TEXTS["d2"]),
    "langchain by metadata": named[1:],
    "haystack": InMemoryBM25Retriever(words).run("dog")["documents"],
}
result = recsql.evaluate({name: {"q1": one} for name, one in lists.items()}, {"q1": ["d2"]}, "rr", 1)
json.dump({row["model"]: row["value"] for row in result.to_pylist()}, sys.stdout)
