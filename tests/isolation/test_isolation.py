"""Tests reach this machine alone, in their own process and in those that they start, and inherit no settings."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ELSEWHERE = ("192.0.2.1", 80)
"""An address for documentation: nobody has it."""


def test_no_address_but_this_machines_can_be_reached() -> None:
    """Neither a connection nor a datagram nor the look-up of a name leaves."""
    with socket.socket() as stream, pytest.raises(RuntimeError, match=r"stay on this machine.*192\.0\.2\.1"):
        stream.connect(ELSEWHERE)
    with socket.socket(type=socket.SOCK_DGRAM) as datagrams, pytest.raises(RuntimeError, match="stay on this machine"):
        datagrams.sendto(b"hello", ELSEWHERE)
    with pytest.raises(RuntimeError, match="some.example"):
        socket.getaddrinfo("some.example", 443)


def test_this_machine_can_be_reached() -> None:
    """Servers of the tests' own are what the tests talk to."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as connection,
    ):
        assert connection.getpeername() == server.getsockname()


def test_a_child_process_is_held_to_it_too() -> None:
    """Python's children load the same guard."""
    code = f"import socket; socket.create_connection({ELSEWHERE!r})"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=30)

    assert child.returncode == 1
    assert "NetworkBlocked: tests stay on this machine" in child.stderr


def test_no_setting_of_this_machines_user_reaches_a_test() -> None:
    """Keys, homes and addresses are the test's own or none."""
    inherited = [name for name in os.environ if name.startswith(("PANELIST_", "SLACK_", "DISCORD_", "ANTHROPIC_"))]

    assert inherited == []
    assert "DATABASE_URL" not in os.environ
    assert Path.home().name.startswith("panelist-tests-")
