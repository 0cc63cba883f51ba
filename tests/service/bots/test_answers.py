"""What comes of a bot's decision, whatever happens while it thinks."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
import pytest

import service.bot_worker
import service.bots
from engine.core import Level, Registry, Rng, Sight, installed, sight_of
from service.bot_worker import BotWorker, _Told
from service.bots import BotLog, Bots
from service.errors import Reason, Refusal
from service.logs import set_up
from service.redis_store import RedisStore
from service.settings import Settings
from service.store import Errand, GameKey
from tests.service.bots.table import bot
from tests.service.client import Client
from tests.service.house import House, house
from tests.service.players import history
from tests.service.pledge import GAME
from tests.service.store.harness import PATIENCE, Server, now_us

AnySight = Sight[Any, Any, Any]
Choice = Callable[[AnySight], msgspec.Struct]
Meanwhile = Callable[[], Awaitable[object]]
SECRET = "a card of another"


class Heard(BotLog):
    """What the bots said of themselves."""

    def __init__(self) -> None:
        self.decisions: list[tuple[str, Level]] = []
        self.failures: list[Exception] = []

    def decided(self, game_type: str, level: Level, seconds: float) -> None:
        self.decisions.append((game_type, level))

    def failed(self, game_type: str, level: Level, error: Exception) -> None:
        self.failures.append(error)


class Room:
    """A service, and a bot worker beside it whose bots do what the test says."""

    def __init__(self, home: House, client: Client, store: RedisStore, url: str) -> None:
        self.home = home
        self.client = client
        self.store = store
        self.url = url
        self.heard = Heard()
        self.asked: list[tuple[Level, int]] = []

    async def deal(self, seats: list[dict[str, Any]]) -> GameKey:
        made = await self.client.call("CreateGame", self.home.key, gameType="pledge", seats=seats)
        self.tokens = [seat["token"] for seat in made["seatTokens"]]
        return GameKey("test", made["game"]["name"].removeprefix("games/"))

    def bots(self, choice: Choice, meanwhile: Meanwhile | None = None) -> Bots:
        async def decide(level: Level, sight: AnySight, rng: Rng) -> msgspec.Struct:
            self.asked.append((level, sight.seat))
            if meanwhile is not None:
                await meanwhile()
            return choice(sight)

        return Bots(
            games=Registry([GAME]),
            store=self.store,
            decide=decide,
            clock_us=now_us,
            entropy=os.urandom,
            log=self.heard,
        )

    async def submit(self, key: GameKey, seat: int, offer: str) -> Any:
        """A person's answer, or a platform's for a bot."""
        token, name = self.tokens[seat], f"games/{key.game}"
        view = await self.client.call("GetView", token, name=name)
        answer = {"decisionId": view["decision"]["decisionId"], "offerId": offer}
        return await self.client.call("SubmitMove", token, name=name, **answer)

    async def moves(self, key: GameKey) -> list[tuple[int | None, str]]:
        """Who moved what."""
        said = await history(self.url, key.tenant, GAME, f"games/{key.game}")
        return [(one.seat, offer) for one in said for offer in one.offers]


@pytest.fixture
async def room(server: Server, store: RedisStore) -> AsyncIterator[Room]:
    async with house(server.url, [GAME]) as home, Client("rest", home) as client:
        yield Room(home, client, store, server.url)


def most(sight: AnySight) -> msgspec.Struct:
    """Three coins."""
    move: msgspec.Struct = sight.moves[2]
    return move


def broken(sight: AnySight) -> msgspec.Struct:
    raise ZeroDivisionError(SECRET)


async def test_every_bot_that_is_asked_answers_and_nobody_else(room: Room) -> None:
    key = await room.deal([{}, bot("BOT_LEVEL_STRONG"), {"controller": "CONTROLLER_BOT"}])
    await room.bots(most).answer(key)

    assert await room.moves(key) == [(1, "pledge:3"), (2, "pledge:3")]
    assert room.asked == [(Level.STRONG, 1), (Level.BASIC, 2)]
    assert room.heard.decisions == [("pledge", Level.STRONG), ("pledge", Level.BASIC)]
    # The same errand again, after a crash before it was done.
    await room.bots(most).answer(key)
    assert len(await room.moves(key)) == 2


async def test_a_bot_leaves_open_what_does_not_press(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME), "presses", lambda _, prompt: prompt.seat != 0)
    key = await room.deal([bot(), {}, bot()])
    await room.bots(most).answer(key)
    assert room.asked == [(Level.RANDOM, 2)]


async def test_what_is_asked_after_the_answer_is_another_errand(room: Room) -> None:
    key = await room.deal([bot(), bot()])
    first = await take(room.store)
    await room.bots(most).answer(first.key)
    assert len(await room.moves(key)) == 2
    await room.store.bots.done(first)
    second = await take(room.store)
    await room.bots(most).answer(second.key)
    assert await room.moves(key) == [(0, "pledge:3"), (1, "pledge:3")] * 2


@pytest.mark.parametrize("choice", [broken, lambda sight: GAME.moves[0](99), lambda sight: None])
async def test_a_bot_that_fails_makes_the_clock_s_move(
    room: Room, choice: Callable[[AnySight], msgspec.Struct]
) -> None:
    key = await room.deal([{}, bot()])
    await room.bots(choice).answer(key)

    assert await room.moves(key) == [(1, "pledge:1")]
    assert len(room.heard.failures) == 1
    assert room.heard.decisions == []


async def test_a_sight_that_cannot_be_made_is_a_failure_like_others(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blind(*_: object) -> AnySight:
        raise ZeroDivisionError(SECRET)

    key = await room.deal([{}, bot()])
    monkeypatch.setattr(service.bots, "sight_of", blind)
    await room.bots(most).answer(key)

    assert await room.moves(key) == [(1, "pledge:1")]
    assert len(room.heard.failures) == 1
    assert room.asked == []


def test_the_log_of_a_failure_holds_no_text_of_it() -> None:
    under = io.StringIO()
    log, stream = set_up("debug", "json", under)
    try:
        raise ZeroDivisionError(SECRET)
    except ZeroDivisionError as error:
        _Told(log).failed("pledge", Level.BASIC, error)
    _Told(log).decided("pledge", Level.STRONG, 0.5)
    stream.drain()
    failed, decided = (msgspec.json.decode(line) for line in under.getvalue().splitlines())
    assert (failed["event"], failed["bot_level"], failed["game_type"]) == ("bot_failed", "basic", "pledge")
    assert failed["bug"].startswith("ZeroDivisionError at ")
    assert (decided["event"], decided["bot_level"], decided["seconds"]) == ("bot_decided", "strong", 0.5)
    assert SECRET not in under.getvalue()


async def test_another_seat_answers_while_the_bot_thinks(room: Room) -> None:
    key = await room.deal([{}, bot(), {}])
    await room.bots(most, lambda: room.submit(key, 0, "pledge:2")).answer(key)
    assert await room.moves(key) == [(0, "pledge:2"), (1, "pledge:3")]
    assert len(room.asked) == 1


async def test_somebody_answers_for_the_bot_while_it_thinks(room: Room) -> None:
    key = await room.deal([{}, bot()])
    await room.bots(most, lambda: room.submit(key, 1, "pledge:2")).answer(key)
    assert await room.moves(key) == [(1, "pledge:2")]


@pytest.mark.parametrize("controller", ["HUMAN", "RESIGNED"])
async def test_a_seat_that_is_no_bot_s_any_more_is_not_answered_for(room: Room, controller: str) -> None:
    key = await room.deal([{}, bot(), {}])
    request = {"name": f"games/{key.game}/seats/1", "controller": f"CONTROLLER_{controller}"}
    await room.bots(most, lambda: room.client.call("SetSeatController", room.home.key, **request)).answer(key)
    assert await room.moves(key) == []
    assert len(room.asked) == 1


async def test_a_seat_resigns_between_the_look_and_the_commit(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    key = await room.deal([{}, bot(), {}])
    bots = room.bots(most)
    newest, looks = bots._newest, 0

    async def resign_then(at: GameKey) -> Any:
        nonlocal looks
        table = await newest(at)
        looks += 1
        # The third look is the last one before the commit.
        if looks == 3:
            request = {"name": f"games/{key.game}/seats/1", "controller": "CONTROLLER_RESIGNED"}
            await room.client.call("SetSeatController", room.home.key, **request)
        return table

    monkeypatch.setattr(bots, "_newest", resign_then)
    await bots.answer(key)
    assert looks == 3
    assert await room.moves(key) == []


@pytest.mark.parametrize("rpc", ["AbortGame", "DeleteGame"])
async def test_a_game_that_ends_while_the_bot_thinks(room: Room, rpc: str) -> None:
    key = await room.deal([{}, bot()])
    gone = room.bots(most, lambda: room.client.call(rpc, room.home.key, name=f"games/{key.game}"))
    await gone.answer(key)
    await room.bots(most).answer(key)
    assert len(room.asked) == 1


async def test_a_game_that_this_release_cannot_open_is_left_to_others(room: Room) -> None:
    await room.deal([{}, bot()])
    errand = await take(room.store)
    other = Bots(games=installed(), store=room.store, decide=never, clock_us=now_us, entropy=os.urandom, log=room.heard)
    with pytest.raises(Refusal) as refused:
        await other.answer(errand.key)
    assert refused.value.reason is Reason.RULES_VERSION_UNSUPPORTED
    worker = BotWorker(Settings(log_level="error"))
    await worker._run(room.store.bots, other, errand)
    assert await room.store.bots.length() == 1
    # One that can.
    await worker._run(room.store.bots, room.bots(most), errand)
    assert await room.store.bots.length() == 0
    assert await room.moves(errand.key) == [(1, "pledge:3")]


async def test_a_worker_shows_life_as_long_as_it_works(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service.bot_worker, "_HOLD_SECONDS", 0.001)
    key = await room.deal([{}, bot()])
    held: list[Errand] = []
    hold, enough = room.store.bots.hold, asyncio.Event()

    async def count(errand: Errand) -> None:
        await hold(errand)
        held.append(errand)
        if len(held) == 5:
            enough.set()

    monkeypatch.setattr(room.store.bots, "hold", count)
    errand = await take(room.store)
    await BotWorker(Settings(log_level="error"))._run(room.store.bots, room.bots(most, enough.wait), errand)
    assert set(held) == {errand}
    assert await room.moves(key) == [(1, "pledge:3")]
    # And no longer.
    count_then = len(held)
    await asyncio.sleep(0.05)
    assert len(held) == count_then


async def never(level: Level, sight: AnySight, rng: Rng) -> msgspec.Struct:
    raise AssertionError("nothing is asked")


async def take(store: RedisStore) -> Errand:
    errand = await store.bots.take(PATIENCE)
    assert errand is not None
    return errand


@pytest.mark.parametrize("offers", [1, 4])
async def test_a_strong_bot_takes_its_time_whether_it_has_a_choice_or_not(offers: int) -> None:
    """The time of its event is seen by everybody."""
    state = GAME.setup(GAME.options(), 2, Rng(b"", 0))
    sight = msgspec.structs.replace(sight_of(GAME, state, 0), moves=GAME.legal_moves(state, 0)[:offers])
    worker = BotWorker(Settings(bot_budget=60, log_level="error"))
    # The others say at once what they say.
    for level in (Level.RANDOM, Level.BASIC):
        assert await asyncio.wait_for(worker._decide(level, sight, Rng(b"", 0)), PATIENCE) in sight.moves
    thinking = asyncio.create_task(worker._decide(Level.STRONG, sight, Rng(b"", 0)))
    await asyncio.wait((thinking,), timeout=0.3)
    assert not thinking.done()
    # Unless the process must leave.
    worker._stop.set()
    assert await asyncio.wait_for(thinking, PATIENCE) in sight.moves
