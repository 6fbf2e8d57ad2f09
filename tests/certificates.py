"""Certificates for tests: an authority of our own, and the certificates that it signs."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from podium.server.tls import CertificateFiles

DAY = timedelta(days=1)


class Authority:
    """Signs certificates that only clients with its context trust."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "authority of the tests")])
        usage = x509.KeyUsage(
            digital_signature=False,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            key_cert_sign=True,
            crl_sign=True,
            encipher_only=False,
            decipher_only=False,
        )
        self._certificate = (
            self._about(self._name, self._key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(usage, critical=True)
            .sign(self._key, hashes.SHA256())
        )

    def _about(self, subject: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - DAY)
            .not_valid_after(now + DAY)
        )

    def issue(self, folder: Path, *names: str) -> CertificateFiles:
        """A certificate for these names and for this machine, as files."""
        key = ec.generate_private_key(ec.SECP256R1())
        known = [*map(x509.DNSName, ("localhost", *names)), x509.IPAddress(ip_address("127.0.0.1"))]
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, (*names, "localhost")[0])])
        certificate = (
            self._about(subject, key)
            .add_extension(x509.SubjectAlternativeName(known), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        files = CertificateFiles(folder / "house.pem", folder / "house.key")
        files.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        files.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return files

    @property
    def pem(self) -> bytes:
        """Its own certificate."""
        return self._certificate.public_bytes(serialization.Encoding.PEM)

    def trusted(self) -> ssl.SSLContext:
        """The context of a client that trusts this authority."""
        return ssl.create_default_context(cadata=self.pem.decode())
