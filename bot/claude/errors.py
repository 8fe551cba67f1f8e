"""Map errors of the Messages API to Sam's, by the names of the SDK's classes.

Names and not classes, to avoid importing the SDK; a test checks the table against it.
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum, auto

from memory.infra import retry_after
from memory.text import mark, tr

from ..errors import ModelDown, ModelError, ModelRefused


class Fault(Enum):
    """Kinds of errors, each with its own sentence."""

    BUSY = auto()
    LIMITED = auto()
    UNREACHABLE = auto()
    SILENT = auto()
    CUT = auto()
    BROKEN = auto()
    KEY = auto()
    MONEY = auto()
    MODEL = auto()
    SIZE = auto()
    REQUEST = auto()
    DECLINED = auto()


DOWN = {
    Fault.BUSY: mark("Claude is overloaded. Try again in a minute."),
    Fault.LIMITED: mark("Claude's rate limit is reached. Try again in a minute."),
    Fault.UNREACHABLE: mark("Claude cannot be reached. Check the network, or ANTHROPIC_BASE_URL."),
    Fault.SILENT: mark("Claude took too long to answer. Try again in a minute."),
    Fault.CUT: mark("Claude's answer was interrupted. Try again."),
    Fault.BROKEN: mark("Claude had a server error. Try again in a minute."),
}
REFUSED = {
    Fault.KEY: mark("Claude does not accept the key. Check ANTHROPIC_API_KEY."),
    Fault.MONEY: mark("The Claude account has no credit. Add some at console.anthropic.com."),
    Fault.MODEL: mark("Claude has no model of that name. Check CHAT_MODEL and SUMMARY_MODEL."),
    Fault.SIZE: mark("That is too long for Claude. /new starts a new session."),
    Fault.REQUEST: mark("Claude does not accept the request."),
    Fault.DECLINED: mark("Claude declined to answer that."),
}
OTHERS = {
    Fault.BUSY: mark("{model} is overloaded. Try again in a minute."),
    Fault.LIMITED: mark("The rate limit of {model} is reached. Try again in a minute."),
    Fault.UNREACHABLE: mark(
        "{model} cannot be reached. Check the network, or its address in MODELS."
    ),
    Fault.SILENT: mark("{model} took too long to answer. Try again in a minute."),
    Fault.CUT: mark("The answer of {model} was interrupted. Try again."),
    Fault.BROKEN: mark("The server of {model} had an error. Try again in a minute."),
    Fault.KEY: mark("{model} does not accept the key. Check MODEL_KEYS."),
    Fault.MONEY: mark("The account for {model} has no credit. Add some at its provider."),
    Fault.MODEL: mark("The server knows no model {model}. Check MODELS."),
    Fault.SIZE: mark("That is too long for {model}. /new starts a new session."),
    Fault.REQUEST: mark("{model} does not accept the request."),
    Fault.DECLINED: mark("{model} declined to answer that."),
}
"""The sentences for models of MODELS with a server of their own."""
OF_REQUEST = frozenset((Fault.REQUEST, Fault.MODEL))
"""Refusals that may be about something in the request that the endpoint does not know."""

OF_SETTINGS = frozenset((Fault.KEY, Fault.MONEY, Fault.MODEL, Fault.REQUEST, Fault.UNREACHABLE))
"""Faults that only whoever runs Sam can fix."""
TO_OTHERS = mark("I cannot answer in my own words right now. Try again later.")

FAULTS = {
    "AnthropicError": Fault.BROKEN,
    "APIError": Fault.BROKEN,
    "APIResponseValidationError": Fault.CUT,
    "APIWebhookValidationError": Fault.REQUEST,
    "APIStatusError": Fault.BROKEN,
    "APIConnectionError": Fault.UNREACHABLE,
    "APITimeoutError": Fault.SILENT,
    "RetryableError": Fault.BROKEN,
    "CredentialsError": Fault.KEY,
    "IdentityTokenFileError": Fault.KEY,
    "WorkloadIdentityError": Fault.KEY,
    "BadRequestError": Fault.REQUEST,
    "AuthenticationError": Fault.KEY,
    "PaymentRequiredError": Fault.MONEY,
    "PermissionDeniedError": Fault.KEY,
    "NotFoundError": Fault.MODEL,
    "RequestTimeoutError": Fault.SILENT,
    "ConflictError": Fault.BROKEN,
    "PreconditionFailedError": Fault.REQUEST,
    "ContentTooLargeError": Fault.SIZE,
    "RequestTooLargeError": Fault.SIZE,
    "UnprocessableEntityError": Fault.REQUEST,
    "RateLimitError": Fault.LIMITED,
    "RequestHeaderFieldsTooLargeError": Fault.SIZE,
    "ClientClosedRequestError": Fault.CUT,
    "InternalServerError": Fault.BROKEN,
    "HTTPNotImplementedError": Fault.BROKEN,
    "ServiceUnavailableError": Fault.BUSY,
    "GatewayTimeoutError": Fault.SILENT,
    "DeadlineExceededError": Fault.SILENT,
    "OverloadedError": Fault.BUSY,
    # httpx2's, which the SDK lets through while a stream is read
    "HTTPError": Fault.CUT,
    "TimeoutException": Fault.SILENT,
    "ConnectError": Fault.UNREACHABLE,
    "ConnectTimeout": Fault.UNREACHABLE,
    "ProxyError": Fault.UNREACHABLE,
    "UnsupportedProtocol": Fault.UNREACHABLE,
    "StreamError": Fault.CUT,
    "InvalidURL": Fault.UNREACHABLE,
    "CookieConflict": Fault.BROKEN,
    # Python's own: malformed event streams, connections that the system ends
    "ValueError": Fault.CUT,
    "TypeError": Fault.CUT,
    "LookupError": Fault.CUT,
    "AttributeError": Fault.CUT,
    "OSError": Fault.CUT,
}
"""Name of an error's class, or of the nearest one it comes from → its kind."""

# An `error` event in a stream has the stream's status 200: only its type identifies the error.
TYPES = {
    "invalid_request_error": Fault.REQUEST,
    "authentication_error": Fault.KEY,
    "billing_error": Fault.MONEY,
    "permission_error": Fault.KEY,
    "not_found_error": Fault.MODEL,
    "request_too_large": Fault.SIZE,
    "rate_limit_error": Fault.LIMITED,
    "timeout_error": Fault.SILENT,
    "api_error": Fault.BROKEN,
    "overloaded_error": Fault.BUSY,
}

SAID = {"too long": Fault.SIZE, "credit balance": Fault.MONEY}
"""Words of the API with a status 400 → their kind."""


def fault_of(error: BaseException) -> Fault:
    """Return the kind of an error. Raises KeyError for a class that is not in the table."""
    status = getattr(error, "status_code", None)
    kind = getattr(error, "type", None)
    if status is not None and status < 400 and isinstance(kind, str):
        return TYPES.get(kind, Fault.BROKEN)
    for known in type(error).__mro__:
        if known.__name__ in FAULTS:
            found = FAULTS[known.__name__]
            break
    else:
        raise KeyError(type(error).__name__)
    said = api_message(error) if found is Fault.REQUEST else ""
    return next((fault for words, fault in SAID.items() if words in said), found)


def sentence_of(fault: Fault, other: str = "") -> str:
    """Return the sentence for a fault. `other`: the label of a model with a server of its own."""
    if other:
        return tr(OTHERS[fault]).format(model=other)
    return DOWN[fault] if fault in DOWN else REFUSED[fault]


def translate(error: BaseException, now: datetime, other: str = "") -> ModelError:
    """Return the error that Sam raises instead; its text is a sentence for the user. `other`: the
    label of a model with a server of its own."""
    fault = fault_of(error)
    sentence = sentence_of(fault, other)
    raised: ModelError
    if fault in DOWN:
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        raised = ModelDown(sentence, retry_after=retry_after(headers.get("retry-after"), now))
    else:
        reason = api_message(error)
        sentence = f"{sentence} ({reason})" if reason else sentence
        raised = ModelRefused(sentence, said=reason, of_request=fault in OF_REQUEST)
    raised.to_others = TO_OTHERS if fault in OF_SETTINGS else ""
    return raised


def api_message(error: BaseException) -> str:
    """Return the API's own message on one line, truncated at 300 characters; "" without one."""
    return " ".join(str(getattr(error, "api_message", None) or "").split())[:300]
