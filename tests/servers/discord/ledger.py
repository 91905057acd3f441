"""Every request that came in, and what was answered."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    number: int
    # Platform time in seconds since 1970.
    at: float
    # Method and template, as in `POST /channels/{channel}/messages`.
    route: str
    path: str
    params: dict[str, str]
    query: dict[str, str]
    body: Any
    files: tuple[str, ...]
    by_bot: bool
    # 0 when the connection was cut instead of an answer.
    status: int
    # The platform's error code, None for a success.
    code: int | None
    # Whether the request took effect, answered or not.
    committed: bool


class Ledger:
    def __init__(self) -> None:
        self.requests: list[Request] = []
        # Requests for something this server does not offer.
        self.unserved: list[str] = []
        # Faults of this server itself.
        self.broken: list[BaseException] = []

    def __iter__(self) -> Iterator[Request]:
        return iter(self.requests)

    def to(self, route: str) -> list[Request]:
        return [request for request in self.requests if request.route == route]

    def refused(self, status: int) -> list[Request]:
        return [request for request in self.requests if request.status == status]

    @property
    def invalid(self) -> int:
        """Requests that count toward the ban for invalid ones.

        https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
        """
        return sum(1 for request in self.requests if request.status in {401, 403, 429})
