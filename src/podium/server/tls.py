"""The certificate of a house that speaks TLS itself, read again when its files change."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.server.log import log

LOOK_SECONDS: Final = 5
"""Seconds between two looks at the files."""


class CertificateFiles(NamedTuple):
    """The files of the certificate chain and of its key, both as PEM."""

    certificate: Path
    key: Path
    clients: Path | None = None
    """The certificates that vouch for those of terminals (SEC-3); a browser without one is still served."""


class Certificate:
    """Secures connections; a new pair of files applies to every connection after it was read."""

    def __init__(self, files: CertificateFiles) -> None:
        self._files: Final = files
        self._seen = self._stamp()
        self.context, self.names = _load(files)
        """The TLS context of the next connection, and the names of its certificate."""

    def changed(self) -> bool:
        """Reads the files again if they have changed. Returns whether they had. A pair that does not work is refused,
        and the previous one stays in use."""
        stamp = self._stamp()
        if stamp == self._seen:
            return False
        self._seen = stamp
        self.context, self.names = _load(self._files)
        return True

    async def watch(self, tell: Callable[[str, str], Awaitable[None]]) -> None:
        """Starts to watch the files. `tell` gets the kind of event and the reason after each change."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                if self.changed():
                    log.info("the certificate was read again", names=list(self.names))
                    await tell("certificate-changed", ", ".join(self.names))
            except Refused as refusal:
                log.warning("a new certificate was not taken", reason=str(refusal))
                await tell("certificate-refused", str(refusal))

    def _stamp(self) -> tuple[object, ...]:
        """What changes when a file does, even behind a symbolic link."""
        return tuple(_stamp(path) for path in self._files if path is not None)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size


def _load(files: CertificateFiles) -> tuple[ssl.SSLContext, tuple[str, ...]]:
    """A context of the pair, and the names of its certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        # A key with a passphrase must not make the program wait for input.
        context.load_cert_chain(files.certificate, files.key, password="")
        if files.clients is not None:
            context.load_verify_locations(files.clients)
            context.verify_mode = ssl.CERT_OPTIONAL
        names = _names(files.certificate.read_bytes())
    except ssl.SSLError as error:
        raise _unusable(files, error.reason or str(error)) from None
    except (OSError, ValueError) as error:
        raise _unusable(files, getattr(error, "strerror", None) or str(error)) from None
    return context, names


def _names(pem: bytes) -> tuple[str, ...]:
    try:
        found = x509.load_pem_x509_certificate(pem).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return ()
    return tuple(found.value.get_values_for_type(x509.DNSName))


def _unusable(files: CertificateFiles, why: str) -> Refused:
    return Refused("certificate-unusable", certificate=str(files.certificate), key=str(files.key), why=why)


english(
    "refused",
    {"certificate-unusable": "The certificate {certificate} with the key {key} cannot be used: {why}."},
)
