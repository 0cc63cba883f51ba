"""Which servers are accepted, shown on a stub that claims things about itself."""

from __future__ import annotations

import pytest

from service.redis_store import RedisStore, StoreUnfit
from tests.service.store.harness import Server, bulk, stub

NO = b"-NOPERM this user has no permissions\r\n"


def claims(info: str, policy: str = "noeviction", memory: str | None = None) -> dict[bytes, bytes]:
    config = b"%1\r\n" + bulk("maxmemory-policy") + bulk(policy)
    answers = {b"INFO server": bulk(info), b"CONFIG GET": config}
    if memory is not None:
        answers |= {b"CONFIG GET": NO, b"INFO memory": bulk(memory)}
    return answers


@pytest.mark.parametrize(
    "info",
    [
        "redis_version:7.0.15\r\n",
        "redis_version:8.2.3\r\nredis_mode:standalone\r\n",
        "redis_version:10.0.0\r\n",
        "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:7.2.5\r\n",
        "redis_version:7.2.4\r\nvalkey_version:9.1.2\r\n",
    ],
)
async def test_a_server_that_is_new_enough(info: str) -> None:
    async with stub(claims(info)) as url:
        await (await RedisStore.open(url)).close()


@pytest.mark.parametrize(
    ("info", "words"),
    [
        ("redis_version:6.2.14\r\n", "Redis 6.2.14; Rookery needs Redis 7.0 or newer"),
        ("redis_version:5.0\r\n", "Redis 5.0"),
        ("redis_version:7.2.4\r\nvalkey_version:7.1.0\r\n", "Valkey 7.1.0; Rookery needs Valkey 7.2 or newer"),
        ("redis_version:unstable\r\n", "Redis unstable"),
        ("os:Linux\r\n", "of unknown version"),
        ("redis_version:7.4.0\r\nredis_mode:cluster\r\n", "cluster mode"),
    ],
)
async def test_a_server_that_is_refused(info: str, words: str) -> None:
    async with stub(claims(info)) as url:
        with pytest.raises(StoreUnfit, match=words):
            await RedisStore.open(url)


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-lru", "volatile-ttl", "allkeys-random"])
async def test_a_server_that_evicts_is_refused(policy: str) -> None:
    with Server("--maxmemory-policy", policy) as server, pytest.raises(StoreUnfit, match=f"{policy}.*noeviction"):
        await RedisStore.open(server.url)


async def test_the_policy_from_info_when_config_is_not_permitted() -> None:
    version = "redis_version:7.0.0\r\n"
    async with stub(claims(version, memory="maxmemory_policy:noeviction\r\n")) as url:
        await (await RedisStore.open(url)).close()
    for memory, words in (("maxmemory_policy:allkeys-lfu\r\n", "allkeys-lfu"), ("", "unknown")):
        async with stub(claims(version, memory=memory)) as url:
            with pytest.raises(StoreUnfit, match=f"maxmemory-policy is {words}"):
                await RedisStore.open(url)


async def test_a_server_that_hides_its_version_is_refused() -> None:
    async with stub({b"INFO": NO}) as url:
        with pytest.raises(StoreUnfit, match="NOPERM"):
            await RedisStore.open(url)


async def test_a_refusal_shows_no_password() -> None:
    async with stub(claims("redis_version:6.0.0\r\n")) as url:
        with pytest.raises(StoreUnfit) as unfit:
            await RedisStore.open(url.replace("redis://", "redis://:secret@"))
        assert "secret" not in str(unfit.value)
