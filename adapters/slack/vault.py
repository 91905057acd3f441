"""Tokens under lock and key: encrypted before they reach the database.

The key comes from PANELIST_SECRET_KEY: any secret of at least 16 characters. Several, with commas between, let a key be
changed: the first one encrypts, all of them open.
"""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from bot.core.errors import StoreError, UsageError

SHORTEST = 16
_USE = b"panelist slack tokens"
_HOW = 'make one with `python -c "import secrets; print(secrets.token_urlsafe(32))"`'


class Vault:
    """Encrypts and opens tokens."""

    def __init__(self, secret_key: str) -> None:
        """Raises UsageError for a key that is missing or short."""
        keys = [key.strip() for key in secret_key.split(",") if key.strip()]
        if not keys:
            raise UsageError(f"PANELIST_SECRET_KEY is not set: installed workspaces' tokens need it; {_HOW}")
        if any(len(key) < SHORTEST for key in keys):
            raise UsageError(f"PANELIST_SECRET_KEY is shorter than {SHORTEST} characters; {_HOW}")
        self._fernet = MultiFernet([Fernet(_derived(key)) for key in keys])

    def sealed(self, token: str) -> str:
        return self._fernet.encrypt(token.encode()).decode()

    def opened(self, sealed: str) -> str:
        """Raises StoreError where none of the keys fits."""
        try:
            return self._fernet.decrypt(sealed.encode()).decode()
        except InvalidToken as fault:
            raise StoreError(
                "PANELIST_SECRET_KEY does not open the stored Slack tokens; set the key with which they were stored, "
                "or install the app again"
            ) from fault


def _derived(key: str) -> bytes:
    derivation = HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=_USE)
    return base64.urlsafe_b64encode(derivation.derive(key.encode()))
