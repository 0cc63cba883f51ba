"""The multiplexed connection by itself: every kind of address, pressure, silence, cancellation."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import ipaddress
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import hiredis
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from service import redis_link
from service.errors import Reason, Refusal
from service.redis_endpoint import Endpoint
from service.redis_link import Dropped, Link, Unreachable
from service.redis_store import RedisStore
from service.store import Committed, GameKey
from tests.service.store.harness import PATIENCE, Proxy, Server, at, stub, until_async, write


@contextlib.asynccontextmanager
async def linked(url: str) -> AsyncIterator[Link]:
    link = Link(Endpoint.parse(url))
    link.start()
    try:
        await link.wire(PATIENCE)
        yield link
    finally:
        await link.close()


async def use(url: str, key: GameKey) -> None:
    """Everything that a connection is for, wake-ups included."""
    store = await RedisStore.open(url)
    await store.create(key, stamp=at(1), meta=b"m", live=b"l", batch=b"b", rank=1, ttl_ms=60_000)
    waiting = asyncio.create_task(store.changed(key, 1, 60))
    await until_async(lambda: store._wake.channels, "somebody waits")
    assert await store.commit(write(key, 1)) == Committed(2)
    await waiting
    await store.close()


# -- addresses


async def test_tcp_password_user_and_database(key: GameKey) -> None:
    with Server("--requirepass", "pass:word", tcp=True) as server:
        root = server.admin(password="pass:word")
        root.acl_setuser("ada", enabled=True, passwords=["+s3cret/@"], keys=["*"], channels=["*"], commands=["+@all"])
        await use(f"redis://:pass%3Aword@127.0.0.1:{server.port}/0", key)
        await use(f"redis://ada:s3cret%2F%40@127.0.0.1:{server.port}/3", key)
        await use(f"unix://ada:s3cret%2F%40@{server.socket}?db=5", key)
        kept = {int(name[2:]) for name in root.info("keyspace")}
        assert kept == {0, 3, 5}


@pytest.mark.parametrize("login", ["", ":wrong@", "nobody:wrong@"])
async def test_a_wrong_password_is_said_without_it(login: str) -> None:
    with Server("--requirepass", "right", tcp=True) as server:
        with pytest.raises(Refusal, match=r"refused the greeting \((NOAUTH|WRONGPASS)\)") as refusal:
            await RedisStore.open(f"redis://{login}127.0.0.1:{server.port}", patience=0.3)
        assert "wrong" not in refusal.value.message


async def test_a_user_without_pub_sub_still_gets_changes(key: GameKey) -> None:
    with Server() as server:
        server.admin().acl_setuser(
            "mute", enabled=True, nopass=True, keys=["*"], channels=["*"], commands=["+@all", "-subscribe"]
        )
        await use(f"unix://mute:x@{server.socket}", key)


def certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """A self-signed certificate for 127.0.0.1: its file, and the server's side of TLS."""
    secret = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "rookery test")])
    today = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - dt.timedelta(days=1))
        .not_valid_after(today + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(secret, hashes.SHA256())
    )
    pem, key = folder / "cert.pem", folder / "key.pem"
    pem.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        secret.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, key)
    return pem, context


@contextlib.asynccontextmanager
async def tls_in_front(server: Server, context: ssl.SSLContext) -> AsyncIterator[int]:
    """TLS ended before the server (the packaged server has none of its own); the port."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner = await asyncio.open_unix_connection(server.socket)
        await asyncio.gather(pump(reader, inner[1]), pump(inner[0], writer))

    front = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    try:
        yield front.sockets[0].getsockname()[1]
    finally:
        front.close()


async def test_tls(server: Server, key: GameKey, tmp_path: Path) -> None:
    pem, context = certificate(tmp_path)
    async with tls_in_front(server, context) as port:
        await use(f"rediss://127.0.0.1:{port}?ssl_ca_certs={pem}", key)
        await use(f"rediss://127.0.0.1:{port}?ssl_cert_reqs=none", key._replace(game="b"))


async def test_tls_refuses_a_stranger(server: Server, tmp_path: Path) -> None:
    _, context = certificate(tmp_path)
    async with tls_in_front(server, context) as port:
        with pytest.raises(Refusal, match=r"(?i)certificate"):
            await RedisStore.open(f"rediss://127.0.0.1:{port}", patience=0.3)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://localhost", "schemes"),
        ("redis://localhost?surprise=1", "not supported: surprise"),
        ("rediss://localhost?ssl_cert_reqs=maybe", "none, optional or required"),
        ("unix://", "path of a socket"),
    ],
)
async def test_an_address_that_is_none(url: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        await RedisStore.open(url)


def test_an_address_shows_no_password() -> None:
    for url in ("redis://me:secret@h:1/2", "rediss://:secret@h", "unix://me:secret@/tmp/s?db=3"):
        shown = str(Endpoint.parse(url))
        assert "secret" not in shown
        assert "me" not in shown
    assert str(Endpoint.parse("rediss://h:7")) == "h:7 with TLS"


async def test_nobody_there() -> None:
    for url in ("unix:///nowhere/s", "redis://127.0.0.1:1"):
        with pytest.raises(Refusal, match="cannot connect") as refusal:
            await RedisStore.open(url, patience=0.1)
        assert refusal.value.reason is Reason.STORE_UNAVAILABLE


async def test_a_server_that_is_not_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await reader.read()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    with pytest.raises(Refusal, match="greeting"):
        await RedisStore.open(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}", patience=0.3)
    server.close()


async def test_a_server_that_still_loads_is_not_there_yet() -> None:
    async with stub({b"PING": b"-LOADING Redis is loading the dataset in memory\r\n"}) as url:
        with pytest.raises(Refusal, match="LOADING"):
            await RedisStore.open(url, patience=0.3)


# -- many commands on one connection


async def test_answers_find_their_questions(server: Server) -> None:
    async with linked(server.url) as link:
        answers = await asyncio.gather(*(link.ask("ECHO", f"word {n}") for n in range(5000)))
        assert answers == [b"word %d" % n for n in range(5000)]


async def test_an_error_hits_only_its_own_command(server: Server) -> None:
    async with linked(server.url) as link:
        outcomes = await asyncio.gather(
            link.ask("ECHO", "a"), link.ask("NONSENSE"), link.ask("ECHO", "b"), return_exceptions=True
        )
        assert (outcomes[0], outcomes[2]) == (b"a", b"b")
        assert isinstance(outcomes[1], hiredis.ReplyError)


async def test_commands_of_one_turn_leave_together(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async with linked(server.url) as link:
        wire = await link.wire()
        flushes = 0
        flush = wire._flush

        def count() -> None:
            nonlocal flushes
            flushes += 1
            flush()

        monkeypatch.setattr(wire, "_flush", count)
        await asyncio.gather(*(link.ask("ECHO", "x") for _ in range(500)))
        assert flushes == 1


async def test_a_cancelled_command_leaves_the_order_intact(server: Server) -> None:
    async with linked(server.url) as link:
        await link.wire()
        tasks = [asyncio.create_task(link.ask("ECHO", str(n))) for n in range(100)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert outcomes[1::2] == [b"%d" % n for n in range(1, 100, 2)]
        assert await link.ask("ECHO", "after") == b"after"


async def test_more_commands_than_fit_wait_for_room(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_link, "MAX_IN_FLIGHT", 16)
    async with linked(server.url) as link:
        wire = await link.wire()

        async def ask(n: int) -> bytes:
            answer: bytes = await link.ask("ECHO", str(n))
            assert len(wire._owed) <= 16
            return answer

        tasks = [asyncio.create_task(ask(n)) for n in range(400)]
        assert await asyncio.gather(*tasks) == [b"%d" % n for n in range(400)]


async def test_big_values_under_pressure(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_link, "WRITE_BUFFER", 1 << 14)
    async with linked(server.url) as link:
        sizes = [1 << (n % 20) for n in range(200)]
        answers = await asyncio.gather(*(link.ask("ECHO", b"x" * size) for size in sizes))
        assert [len(answer) for answer in answers] == sizes


# -- loss


async def test_what_is_owed_fails_when_the_connection_is_lost(server: Server) -> None:
    async with linked(server.url) as link:
        await link.wire()
        owed = asyncio.create_task(link.ask("BLPOP", "nothing", 0))
        await asyncio.sleep(0)
        link.drop()
        with pytest.raises(Dropped):
            await owed
        assert await link.ask("ECHO", "again") == b"again"


async def test_a_silent_server_counts_as_lost(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_link, "REPLY_TIMEOUT", 0.1)
    async with linked(server.url) as link:
        with pytest.raises(Dropped):
            await link.ask("BLPOP", "nothing", 0)
        assert await link.ask("ECHO", "again") == b"again"


async def test_a_quiet_connection_is_kept_awake(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_link, "REPLY_TIMEOUT", 0.1)
    monkeypatch.setattr(redis_link, "IDLE_PING", 0.01)
    async with linked(server.url) as link:
        wire = await link.wire()
        heard = wire._heard
        await until_async(lambda: wire._heard > heard, "a PING was answered")
        assert not wire.lost.done()


async def test_a_closed_link_refuses(server: Server) -> None:
    link = Link(Endpoint.parse(server.url))
    link.start()
    await link.ask("PING")
    owed = asyncio.create_task(link.ask("BLPOP", "nothing", 0))
    await asyncio.sleep(0)
    await link.close()
    with pytest.raises(Dropped):
        await owed
    with pytest.raises(Unreachable, match="closed"):
        await link.ask("PING")
    await link.close()


async def test_closing_leaves_no_client_behind(server: Server, key: GameKey) -> None:
    def ours() -> int:
        return sum(client["name"].startswith("rookery") for client in server.admin().client_list())

    before = ours()
    await use(server.url, key)
    await until_async(lambda: ours() == before, "the connections are closed")


async def test_a_store_opened_in_vain_leaves_nothing(server: Server) -> None:
    before = len(asyncio.all_tasks())
    with pytest.raises(Refusal):
        await RedisStore.open("unix:///nowhere/s", patience=0.05)
    assert len(asyncio.all_tasks()) == before


async def test_reconnecting_goes_on_while_nobody_is_there(server: Server, proxy: Proxy) -> None:
    async with linked(proxy.url) as link:
        wire = await link.wire()
        await proxy.down()
        await wire.lost
        with pytest.raises(Unreachable, match="cannot connect"):
            await link.wire(0.3)
        await proxy.up()
        assert await link.ask("ECHO", "back") == b"back"
