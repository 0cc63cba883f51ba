"""What a viewer sees, and what it does not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core import Label, Lasting, Piece, Ref, Rng, lasting
from engine.games.nana_toridori import GAME
from engine.games.nana_toridori.state import (
    ADVANCED,
    BeatenDiscarded,
    BeatenTaken,
    Discard,
    DiscardFront,
    Drawn,
    DrawnDiscarded,
    DrawnKept,
    FrontKept,
    GameEnded,
    Keep,
    KeepFront,
    Move,
    Pass,
    Passed,
    Play,
    Played,
    RoundDealt,
    RoundEnded,
    RoundSummary,
    Take,
    TrickEnded,
    WentOut,
)
from tests.games.nana_toridori.table import after, board, cards, duel, move, seen
from tests.games.nana_toridori.vectors import read_move

VIEWERS = (None, 0, 1, 2)


def test_a_hand_is_its_owners_alone_and_keeps_its_order() -> None:
    state = board("2551", "31", "47")
    assert GAME.view(state, 0).hand == cards("2551")
    assert [GAME.view(state, viewer).hand for viewer in (None, 1, 2)] == [(), cards("31"), cards("47")]
    assert [player.hand_size for player in GAME.view(state, None).players] == [4, 2, 2]


def test_the_order_of_another_hand_makes_no_difference() -> None:
    one, other = board("2551", "31", "47"), board("5215", "31", "47")
    for viewer in (None, 1, 2):
        assert GAME.view(one, viewer) == GAME.view(other, viewer)


def test_a_drawn_card_is_seen_by_the_player_who_drew() -> None:
    state = after(board("2", "441", "4", table="77", deck="56"), "pass")
    assert [GAME.view(state, viewer).drawn for viewer in VIEWERS] == [None, None, 5, None]
    assert {GAME.view(state, viewer).draw_pile for viewer in VIEWERS} == {1}


def test_keeping_any_card_anywhere_looks_the_same_to_others() -> None:
    before = board("2", "441", "4", table="77", deck="56")
    steps = [
        move(replace(after(before, "pass"), drawn=drawn), f"keep {position}") for drawn in (1, 7) for position in (0, 3)
    ]
    for viewer in (None, 0, 2):
        assert len({(GAME.view(step.state, viewer), *seen(step, viewer)) for step in steps}) == 1
    assert len({GAME.view(step.state, 1) for step in steps}) == 4


def test_whoever_draws_learns_something_and_nobody_else_does() -> None:
    step = move(board("2", "441", "4", table="77", deck="56"), "pass")
    assert step.reveals
    assert seen(step, 1) == [Passed(1), Drawn(5, 1)]
    assert [seen(step, viewer) for viewer in (None, 0, 2)] == [[Passed(1), Drawn(None, 1)]] * 3


def test_a_pass_without_a_card_reveals_nothing() -> None:
    step = move(board("2", "441", "4", table="77"), "pass")
    assert (step.reveals, seen(step, 0)) == (False, [Passed(1)])


def test_a_discarded_card_is_open_to_all() -> None:
    step = move(after(board("2", "441", "4", table="77", deck="56"), "pass"), "discard")
    for viewer in VIEWERS:
        assert seen(step, viewer) == [DrawnDiscarded(5)]
        assert GAME.view(step.state, viewer).discard_pile == (5,)


def test_from_which_place_cards_come_and_to_which_they_go_is_for_the_own_eyes() -> None:
    played = move(board("2", "36637", "4", table="33"), "play 1 2")
    assert seen(played, 1) == [Played((6, 6), (), 1)]
    assert seen(played, 0) == seen(played, None) == [Played((6, 6), (), None)]
    taken = move(played.state, "take 1")
    assert seen(taken, 1) == [BeatenTaken((3, 3), 1)]
    assert seen(taken, 2) == seen(taken, None) == [BeatenTaken((3, 3), None)]


def test_taken_cards_are_known_until_so_many_of_them_were_played() -> None:
    state = after(board("2", "66337", "4", table="33"), "play 0 2", "take 2")
    assert (state.hands[1], {GAME.view(state, viewer).players[1].known for viewer in VIEWERS}) == (
        cards("33337"),
        {(3, 3)},
    )
    led = after(state, "pass", "pass", "play 4 1")
    assert GAME.view(led, 0).players[1].known == (3, 3), "a seven says nothing about threes"
    led = after(led, "pass", "pass", "play 0 1")
    assert GAME.view(led, 0).players[1].known == (3,), "it may have been one of the two"
    led = after(led, "pass", "pass", "play 0 2")
    assert GAME.view(led, 0).players[1].known == ()


def test_discarded_and_drawn_cards_are_not_known() -> None:
    state = after(board("2", "66337", "4", table="33", deck="5"), "play 0 2", "discard", "pass", "keep 0")
    assert state.known == ((), (), ())


def test_a_front_card_that_went_into_the_hand_is_known() -> None:
    step = move(after(duel("43", "43", table="7"), "pass"), "front 0 keep 1")
    assert seen(step, 1)[0] == FrontKept(0, 4, 1)
    assert seen(step, 0)[0] == FrontKept(0, 4, None)
    player = GAME.view(step.state, None).players[1]
    assert (player.known, player.front, player.hand_size) == ((4,), (1,), 3)


def test_everybody_sees_what_lies_open() -> None:
    state = after(board("2", "36637", "", "4", table="33", discard=[5], passes=0), "play 1 2")
    for viewer in VIEWERS:
        view = GAME.view(state, viewer)
        assert (view.table, view.owner, view.beaten, view.discard_pile) == ((6, 6), 1, (3, 3), (5,))
        assert view.players[2].place == 1


def test_going_out_is_told_in_the_order_in_which_it_happens() -> None:
    step = move(board("21", "66", "43", table="33"), "play 0 2")
    assert seen(step, None) == [Played((6, 6), (), None), BeatenDiscarded((3, 3)), WentOut(1)]


def test_the_end_of_a_trick_is_told_after_the_last_choice() -> None:
    step = move(after(board("21", "66", "43", table="7", turn=2, passes=1, deck="5"), "pass"), "keep 0")
    assert seen(step, None) == [DrawnKept(None, None), TrickEnded((7,), 0, 0)]
    assert seen(step, 2) == [DrawnKept(5, 0), TrickEnded((7,), 0, 0)]


def test_a_new_deal_shows_each_seat_its_own_hand() -> None:
    step = move(board("777", "", "4", table="3", owner=0, turn=2), "play 0 1")
    assert step.reveals
    for viewer in VIEWERS:
        summary = RoundSummary(1, (1, 2), 0, (4,))
        hand = () if viewer is None else step.state.hands[viewer]
        assert seen(step, viewer)[-2:] == [
            RoundEnded(summary, (1, 2, 2), (0, 0, 0)),
            RoundDealt(2, 0, 8, 39, hand, ()),
        ]
        assert GAME.view(step.state, viewer).last_round == summary


def test_a_new_deal_of_a_duel_shows_the_front_cards_to_all() -> None:
    step = move(duel("43", "43", front=("46", ""), table="7"), "pass")
    shown = seen(step, None)[-1]
    assert isinstance(shown, RoundDealt)
    assert [front.cards for front in shown.front] == list(step.state.front)
    assert (shown.hand_size, shown.draw_pile, shown.hand) == (11, 37, ())


def test_the_end_of_the_game_shows_no_hand() -> None:
    step = move(board("777", "", "4", table="3", owner=0, turn=2, penguins=[1, 2, 2]), "play 0 1")
    assert not step.reveals
    assert seen(step, 1)[-1] == GameEnded((1, 2))
    assert GAME.view(step.state, 1).hand == ()
    assert GAME.view(step.state, 1).players[0].hand_size == 3


def test_a_redeal_keeps_what_everybody_knows() -> None:
    state = after(board("3254", "66137", "44", table="33", deck="1234567"), "play 0 2", "take 2")
    hands = set()
    for number in range(20):
        other = GAME.redeal(state, 0, Rng(b"redeal", number))
        assert GAME.view(other, 0) == GAME.view(state, 0)
        assert other.hands[1].count(3) >= 2
        hands.add(other.hands[1])
    assert len(hands) > 10
    assert {hand.index(3) for hand in hands} != {2}


def test_a_redeal_leaves_open_whether_cards_of_a_value_lie_together() -> None:
    """They may have been taken one by one, and what was taken as one may have been parted: only their owner sees it."""
    state = replace(board("3254", "343", "44", deck="1234567"), known=((), (3, 3), ()))
    hands = {GAME.redeal(state, 0, Rng(b"apart", number)).hands[1] for number in range(60)}
    assert {"".join("3" if card == 3 else "." for card in hand) for hand in hands} >= {"33.", ".33", "3.3"}


@pytest.mark.parametrize(("text", "why"), [("play 0 1", None), ("play 0 2", Lasting.SOMETHING_LEARNED)])
def test_to_play_known_cards_as_one_tells_that_they_lay_together(text: str, why: Lasting | None) -> None:
    state = replace(board("3356", "1214", "4471", deck="1234567"), known=((3, 3), (), ()))
    assert lasting(GAME, state, 0, read_move(text), Rng(b"", 1)) is why


def test_a_redeal_moves_the_card_that_another_player_has_drawn() -> None:
    state = after(board("2", "441", "4", table="77", deck="5123467"), "pass")
    assert len({GAME.redeal(state, 0, Rng(b"redeal", number)).drawn for number in range(40)}) > 3
    assert {GAME.redeal(state, 1, Rng(b"redeal", number)).drawn for number in range(40)} == {5}


# The scene.


def test_the_scene_shows_own_cards_in_order_and_the_backs_of_others() -> None:
    state = after(board("2", "441", "4", table="77", deck="56", discard=[1, 3]), "pass")
    own = {zone.id: zone for zone in GAME.scene(GAME.view(state, 1)).zones}
    assert own["hand/1"].pieces == (Piece("4"), Piece("4"), Piece("1"))
    assert own["hand/0"].pieces == (Piece(count=1),)
    assert own["drawn"].pieces == (Piece("5"),)
    assert (own["table"].seat, own["table"].pieces) == (0, (Piece("7"), Piece("7")))
    assert own["discard_pile"].pieces == (Piece("1"), Piece("3"))
    assert own["draw_pile"].pieces == (Piece(count=1),)
    assert own["penguins/2"].pieces == (Piece("penguin", 2),)
    other = {zone.id: zone for zone in GAME.scene(GAME.view(state, 0)).zones}
    assert (other["drawn"].seat, other["drawn"].pieces) == (1, (Piece(),))
    assert other["hand/1"].pieces == (Piece(count=3),)


def test_the_scene_shows_points_in_the_advanced_game_and_front_cards_in_a_duel() -> None:
    advanced = GAME.scene(GAME.view(board("2", "4", "5", mode=ADVANCED, points=[4, 0, 2]), None))
    zones = {zone.id: zone.pieces for zone in advanced.zones}
    assert (zones["points/0"], zones["points/1"]) == ((Piece("point", 4),), ())
    assert "penguins/0" not in zones
    zones = {zone.id: zone.pieces for zone in GAME.scene(GAME.view(duel("43", "44"), None)).zones}
    assert zones["front/1"] == (Piece("4"), Piece("1"))


# Words.

MOVES: list[tuple[Move, str, Label, tuple[Ref, ...]]] = [
    (Play(1, 2), "play:1:2", Label("offer.play", (("count", "2"), ("place", "2"))), (Ref(zone="table"),)),
    (
        Play(0, 1, (0, 1)),
        "play:0:1:+0,1",
        Label("offer.play_front", (("count", "1"), ("place", "1"), ("front", "1 2"))),
        (Ref(zone="table"),),
    ),
    (Pass(), "pass", Label("offer.pass"), ()),
    (Take(3), "take:3", Label("offer.take", (("place", "4"),)), (Ref(zone="beaten"),)),
    (Keep(0), "keep:0", Label("offer.keep", (("place", "1"),)), (Ref(zone="drawn"),)),
    (Discard(), "discard", Label("offer.discard"), (Ref(zone="discard_pile"),)),
    (KeepFront(1, 0), "front:1:keep:0", Label("offer.keep_front", (("front", "2"), ("place", "1"))), ()),
    (
        DiscardFront(0),
        "front:0:discard",
        Label("offer.discard_front", (("front", "1"),)),
        (Ref(zone="discard_pile"),),
    ),
]


@pytest.mark.parametrize(("made", "notation", "label", "refs"), MOVES)
def test_moves_in_words_and_places(made: Move, notation: str, label: Label, refs: tuple[Ref, ...]) -> None:
    assert (GAME.notation(made), GAME.label(made), GAME.refs(made)) == (notation, label, refs)


# Cards are numbers, too, so that a bare number on a button would be read as the value of a card.
BUTTONS = [
    ("en", Play(1, 3), "Play from place 2 on; number of cards: 3"),
    ("en", Play(1, 3, (0,)), "Play from place 2 on; number of cards: 3; with front card no. 1"),
    ("en", KeepFront(1, 0), "Keep front card no. 2 at place 1"),
    ("en", DiscardFront(0), "Discard front card no. 1"),
    ("zh-Hans", Play(1, 3, (0,)), "从第2张起打出3张，加上面前第1张"),
    ("ja", Play(1, 3, (0,)), "2枚目から3枚、前の1枚目と一緒に出す"),
    ("es", Play(1, 3), "Jugar desde la posición 2; cartas: 3"),
    ("es", DiscardFront(0), "Descartar la carta n.º 1 del frente"),
]


@pytest.mark.parametrize(("locale", "made", "text"), BUTTONS)
def test_a_button_says_what_its_numbers_count(locale: str, made: Move, text: str) -> None:
    label = GAME.label(made)
    assert GAME.messages()[locale][label.key].format(**dict(label.args)) == text


def test_events_tell_their_own_seat_more() -> None:
    assert GAME.event_label(Drawn(None, 3), 1) == Label("event.drawn", (("seat", "1"),))
    assert GAME.event_label(Drawn(5, 3), 1) == Label("event.drawn_own", (("seat", "1"), ("card", "5")))
    assert GAME.event_label(DrawnKept(None, None), 1).key == "event.drawn_kept"
    assert GAME.event_label(DrawnKept(5, 0), 1).key == "event.drawn_kept_own"


def test_the_end_of_a_round_tells_what_is_counted() -> None:
    summary = RoundSummary(2, (1, 2), 0, (4,))
    common = (("round", "2"), ("loser", "0"))
    basic = GAME.event_label(RoundEnded(summary, (0, 2, 1), (0, 0, 0)), None)
    assert basic == Label("event.round_ended_penguins", (*common, ("penguins", "0 2 1")))
    advanced = GAME.event_label(RoundEnded(summary, (2, 2, 2), (0, 8, 4)), None)
    assert advanced == Label("event.round_ended_points", (*common, ("points", "0 8 4")))


def test_every_option_and_choice_has_a_name() -> None:
    english = GAME.messages()["en"]
    for spec in GAME.option_specs():
        assert f"option.{spec.name}" in english
        assert all(f"option.{spec.name}.{choice}" in english for choice in spec.choices if isinstance(choice, str))
