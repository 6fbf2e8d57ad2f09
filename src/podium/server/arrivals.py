"""Where a request came from: its address, TLS or not, and the name that it used.

Pages and terminals go through the same two checks: is the request meant for this house, and does it come from one of
its own pages? Only headers of a proxy named in the configuration are trusted.
"""

import re
from collections.abc import Callable, Iterable
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, NamedTuple, Protocol
from urllib.parse import urlsplit

from multidict import MultiMapping

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english

DEFAULT_PORTS: Final = {"http": "80", "https": "443"}
_HOST: Final = re.compile(r"(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
"""A name or address with or without a port, and nothing else: it is repeated in headers of the answer."""
IPV6_NEIGHBOURHOOD: Final = 64
"""The bits of an IPv6 address that identify a network; its owner chooses the rest."""


class WayIn(Protocol):
    """The network settings of the configuration."""

    @property
    def address(self) -> str: ...
    @property
    def hosts(self) -> tuple[str, ...]: ...
    @property
    def proxies(self) -> tuple[str, ...]: ...


class Arrival(NamedTuple):
    """How one request arrived."""

    address: str
    """The client's address; behind a configured proxy, as the proxy states it."""
    secure: bool
    """Whether the browser used TLS, to the house or to its proxy."""
    host: str
    """The host name of the request, with its port if that is not the default."""

    @property
    def origin(self) -> str:
        """The origin of a page that was served from here."""
        return f"{self._scheme}://{self.host}"

    @property
    def socket(self) -> str:
        """The address at which such a page opens its WebSocket."""
        return f"{'wss' if self.secure else 'ws'}://{self.host}"

    @property
    def counted_as(self) -> str:
        """The address as limits count it."""
        return counted_as(self.address)

    @property
    def _scheme(self) -> str:
        return "https" if self.secure else "http"


class Evidence(NamedTuple):
    """The credentials of the terminal that a browser has."""

    token: str
    """The token in the cookie of the terminal."""
    certificate: str
    """The fingerprint of its certificate; empty without one."""
    proof: str


class Arrivals:
    """Knows the host names of the house, and the proxies in front of it."""

    def __init__(self, config: Callable[[], WayIn], names: Callable[[], Iterable[str]] = lambda: ()) -> None:
        self._config: Final = config
        self._names: Final = names
        """Further names, such as those of the certificate."""
        self._read_from: WayIn | None = None
        self._proxies: list[IPv4Network | IPv6Network] = []
        self._hosts: frozenset[str] = frozenset()

    def read(self, peer: str, headers: MultiMapping[str], *, tls: bool) -> Arrival:
        """How a request came from `peer`, by its headers as far as they can be trusted."""
        address, secure, host = plain(peer), tls, headers.get("Host", "")
        if self.is_proxy(address):
            if said := _last(headers, "X-Forwarded-Proto"):
                secure = said.lower() == "https"
            host = _last(headers, "X-Forwarded-Host") or host
            address = self._before_the_proxies(address, _all(headers, "X-Forwarded-For"))
        return Arrival(address, secure, _without_default_port(host.lower(), secure=secure))

    def _before_the_proxies(self, address: str, forwarded: list[str]) -> str:
        """The right-most address that is not a proxy's: anything to the left of it can be made up."""
        while forwarded and self.is_proxy(address):
            try:
                address = plain(str(ip_address(forwarded.pop())))
            except ValueError:
                break
        return address

    def is_proxy(self, address: str) -> bool:
        """Whether the configuration names this address as a proxy."""
        self._refresh()
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)

    def check_host(self, arrival: Arrival) -> None:
        """Refuses a request that is not for this house."""
        if not self.answers_to(arrival.host):
            raise Refused("other-host", host=shortened(arrival.host))

    def check_origin(self, arrival: Arrival, headers: MultiMapping[str]) -> None:
        """Refuses a request that another site's page makes in somebody's name. Browsers say which page asks; other
        programs say nothing."""
        for origin in headers.getall("Origin", []):
            if _tidy(origin) == arrival.origin:
                continue
            raise Refused("other-site", origin=shortened(origin), house=shortened(arrival.origin))

    def answers_to(self, host: str) -> bool:
        """Whether the house is reached under this name: its own, those of its certificate, `localhost` or an IP address.

        Otherwise a page at somebody else's domain that resolves to this address could read the house's answers (DNS
        rebinding).
        """
        self._refresh()
        if not _HOST.fullmatch(host):
            return False
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return (
            name == "localhost"
            or name.endswith(".localhost")
            or _is_address(name)
            or name in self._hosts
            or any(_covers(known.lower(), name) for known in self._names())
        )

    def _refresh(self) -> None:
        config = self._config()
        if config is self._read_from:
            return
        self._proxies = [ip_network(each) for each in config.proxies]
        own = urlsplit(config.address).hostname
        self._hosts = frozenset([*(host.lower() for host in config.hosts), *([own] if own else [])])
        self._read_from = config


def plain(address: str) -> str:
    """An address in its shortest form; an IPv4 address written as IPv6 becomes IPv4."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str((isinstance(found, IPv6Address) and found.ipv4_mapped) or found)


def counted_as(address: str) -> str:
    """The address that limits count, or its network: one IPv6 client can use any number of addresses."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((found, IPV6_NEIGHBOURHOOD), strict=False)) if found.version == 6 else str(found)


def _all(headers: MultiMapping[str], name: str) -> list[str]:
    """The values of a header that holds a list, even if it is split over several lines."""
    return [part.strip() for value in headers.getall(name, []) for part in value.split(",") if part.strip()]


def _last(headers: MultiMapping[str], name: str) -> str:
    """The value from the proxy next to the house."""
    return (_all(headers, name) or [""])[-1]


def _without_default_port(host: str, *, secure: bool) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port == DEFAULT_PORTS["https" if secure else "http"] else host


def _tidy(origin: str) -> str:
    """An origin in a normalised form."""
    scheme, _, host = origin.lower().partition("://")
    return f"{scheme}://{_without_default_port(host, secure=scheme == 'https')}"


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _covers(known: str, name: str) -> bool:
    """Whether a name of a certificate, which may begin with `*.`, covers a name."""
    return known == name or (known.startswith("*.") and known[2:] == name.partition(".")[2])


english(
    "refused",
    {
        "other-host": "This house does not answer to the name {host:quoted}: its configuration names it under hosts, or use its address.",
        "other-site": "This request comes from a page of {origin:quoted}, and the house is at {house:quoted}. If a proxy stands between them, "
        "the configuration must name it under proxies.",
    },
)
