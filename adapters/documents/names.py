"""Which names are never read: hidden ones, git's own, and those that look like keys or secrets."""

import re

_DATA = r"\.(?:json|ya?ml|toml|ini|cfg|conf|txt|csv|xml|properties)"
_KEY_ENDINGS = r"pem|key|p8|p12|pfx|pkcs12|der|jks|keystore|kdbx?|ppk|gpg|pgp|age|ovpn|tfstate|tfvars"
_SECRET = re.compile(
    "|".join(
        (
            r"\.env(?:rc|\..*)?|.+\.env",
            rf".*\.(?:{_KEY_ENDINGS})",
            # SSH keys, their public halves too.
            r"(?:.*[_.-])?id_(?:rsa|dsa|ecdsa|ed25519)(?:[_.-].*)?",
            r"(?:api|private|secret|access|ssh|ssl|tls|signing|deploy|host)[_-]?key(?:\.pub)?",
            r"\.?(?:netrc|pgpass|npmrc|pypirc|htpasswd|git-credentials|dockercfg|my\.cnf)",
            rf"(?:.*[_.-])?(?:credentials?|secrets?|passwords?|passwd|shadow)(?:{_DATA})?",
            r"(?:.*[_.-])?(?:service[_-]account|(?:api|private|access)[_-]?keys?|auth[_-]?tokens?)"
            rf"(?:[_.-].*)?{_DATA}",
        )
    ),
    re.IGNORECASE,
)
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})


def secret(name: str) -> bool:
    """Whether a file of this name (one part of a path) looks like a key or an environment file."""
    return _SECRET.fullmatch(name) is not None


def hidden(name: str) -> bool:
    """Whether the name starts with a dot (`.` and `..` are no names)."""
    return name.startswith(".") and name not in (".", "..")


def skipped_folder(name: str) -> bool:
    """Whether a folder of this name holds only what a machine put there."""
    return name in _SKIPPED_FOLDERS


def refusal(relative: str, *, hidden_too: bool) -> str:
    """Why a path relative to its root is refused by name; empty where it is not."""
    for part in relative.split("/"):
        if part.lower() == ".git":
            return "is part of git's own folder"
        if secret(part):
            return "looks like a key or a secret by its name"
        if hidden_too and hidden(part):
            return "is hidden"
    return ""
