"""Validate requests as Voyage and OpenAI-compatible servers do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Dialect = Literal["voyage", "openai"]


@dataclass(frozen=True, slots=True)
class Model:
    """`dimensions`: the first is the default; `any_to`: any number up to this is allowed too."""

    dialect: Dialect
    dimensions: tuple[int, ...]
    space: str
    any_to: int = 0
    max_inputs: int = 1000
    max_tokens: int = 120_000
    max_text: int = 32_000
    needs_key: bool = True

    def takes(self, dimension: int) -> bool:
        return dimension in self.dimensions or 0 < dimension <= self.any_to


FOUR = (1024, 256, 512, 2048)
MODELS: Mapping[str, Model] = {
    "voyage-4-large": Model("voyage", FOUR, "voyage-4", max_tokens=120_000),
    "voyage-4": Model("voyage", FOUR, "voyage-4", max_tokens=320_000),
    "voyage-4-lite": Model("voyage", FOUR, "voyage-4", max_tokens=1_000_000),
    "voyage-3.5": Model("voyage", FOUR, "voyage-3.5", max_tokens=320_000),
    "voyage-3.5-lite": Model("voyage", FOUR, "voyage-3.5-lite", max_tokens=1_000_000),
    "voyage-3-large": Model("voyage", FOUR, "voyage-3-large"),
    "voyage-3": Model("voyage", (1024,), "voyage-3"),
    "voyage-3-lite": Model("voyage", (512,), "voyage-3-lite"),
    "text-embedding-3-small": Model(
        "openai", (1536,), "3-small", 1536, max_inputs=2048, max_tokens=300_000, max_text=8192
    ),
    "text-embedding-3-large": Model(
        "openai", (3072,), "3-large", 3072, max_inputs=2048, max_tokens=300_000, max_text=8192
    ),
    "text-embedding-ada-002": Model(
        "openai", (1536,), "ada", max_inputs=2048, max_tokens=300_000, max_text=8192
    ),
    # DashScope, and Ollama, which needs no key
    "text-embedding-v4": Model(
        "openai", (1024, 64, 128, 256, 512, 768, 1536, 2048), "v4", max_inputs=10, max_text=8192
    ),
    "nomic-embed-text": Model("openai", (768,), "nomic", needs_key=False, max_text=8192),
}

VOYAGE_FIELDS = {
    "input",
    "model",
    "input_type",
    "truncation",
    "output_dtype",
    "output_dimension",
    "encoding_format",
}
OPENAI_FIELDS = {"input", "model", "dimensions", "encoding_format", "user"}


class Refused(Exception):
    """A refusal with a status, worded as in the dialect."""

    def __init__(self, status: int, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status, self.code = status, code


@dataclass
class EmbedRequest:
    """An accepted request. `status` is set when it is answered; `at` is on the monotonic clock.

    `took`: seconds until its vectors were sent.
    """

    number: int
    dialect: Dialect
    model: str
    texts: tuple[str, ...]
    input_type: str | None
    dimension: int
    base64: bool
    tokens: int
    at: float = 0.0
    took: float = 0.0
    status: int = 0
    body: dict[str, Any] = field(default_factory=dict)


def tokens(text: str) -> int:
    """Count tokens as the fake does: one per four bytes, at least one per text."""
    return max(1, len(text.encode()) // 4)


def dialect_of(body: object) -> Dialect:
    """Return the API dialect, by the model's name, or without one by the fields."""
    model = body.get("model") if isinstance(body, dict) else None
    if isinstance(model, str) and model in MODELS:
        return MODELS[model].dialect
    if isinstance(model, str):
        return "voyage" if model.startswith("voyage") else "openai"
    return "voyage" if isinstance(body, dict) and "input_type" in body else "openai"


def parse(body: object, number: int, models: Mapping[str, Model]) -> EmbedRequest:
    """Parse the request, or raise Refused."""
    if not isinstance(body, dict):
        raise Refused(400, "The request body is not valid JSON")
    dialect = dialect_of(body)
    for name in sorted(set(body) - (VOYAGE_FIELDS if dialect == "voyage" else OPENAI_FIELDS)):
        raise Refused(400, f"Argument '{name}' is not supported by our API")
    name = body.get("model")
    if name not in models:
        known = ", ".join(model for model, kind in models.items() if kind.dialect == dialect)
        if dialect == "voyage":
            raise Refused(400, f"Model {name} is not supported. Supported models are: {known}.")
        raise Refused(404, f"The model `{name}` does not exist", "model_not_found")
    model = models[name]
    texts = _texts(body.get("input"), model)
    kind = body.get("input_type")
    if kind not in (None, "query", "document"):
        raise Refused(400, f"Invalid input_type '{kind}': allowed are query and document")
    if body.get("output_dtype") not in (None, "float"):
        raise Refused(400, "This server gives output_dtype 'float' alone")
    base64 = _base64(body.get("encoding_format"), dialect)
    dimension = body.get("output_dimension" if dialect == "voyage" else "dimensions")
    if dimension is not None and (type(dimension) is not int or not model.takes(dimension)):
        allowed = model.dimensions if not model.any_to else f"1 to {model.any_to}"
        raise Refused(400, f"{dimension} dimensions are not supported by {name}, but {allowed}")
    spent = _spent(texts, name, model, truncation=body.get("truncation") is not False)
    return EmbedRequest(
        number,
        dialect,
        name,
        texts,
        kind,
        dimension or model.dimensions[0],
        base64,
        spent,
        body=body,
    )


def _texts(given: object, model: Model) -> tuple[str, ...]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise Refused(400, "input: must be a text, or a list of at least one text")
    if not all(text.strip() for text in texts):
        raise Refused(400, "input cannot contain empty strings or empty lists")
    if len(texts) > model.max_inputs:
        raise Refused(
            400, f"The batch size limit is {model.max_inputs}. Your batch size is {len(texts)}."
        )
    return tuple(texts)


def _base64(form: object, dialect: Dialect) -> bool:
    allowed = (None, "base64") if dialect == "voyage" else (None, "float", "base64")
    if form not in allowed:
        raise Refused(400, f"encoding_format {form!r} is not supported")
    return form == "base64"


def _spent(texts: tuple[str, ...], name: str, model: Model, *, truncation: bool) -> int:
    each = [tokens(text) for text in texts]
    if model.dialect == "voyage" and truncation:
        each = [min(count, model.max_text) for count in each]
    elif max(each) > model.max_text:
        raise Refused(
            400, f"This model's maximum context length is {model.max_text} tokens, not {max(each)}"
        )
    if sum(each) > model.max_tokens:
        raise Refused(
            400,
            f"Request to model '{name}' failed. The max allowed tokens per submitted batch is "
            f"{model.max_tokens}. Your batch has {sum(each)} tokens after truncation. Please "
            "lower the number of tokens in the batch.",
        )
    return sum(each)
