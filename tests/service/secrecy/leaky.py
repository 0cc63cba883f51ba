"""Pledge again and again, each time with one leak: what the checker must catch."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core import Fact, IllegalMove, Label, Piece, Prompt, Rng, Scene, Step, Zone
from tests.service.pledge import Event, Move, Peek, Pledged, PledgeGame, State, View


class ViewLeak(PledgeGame):
    """Shows the bank to everybody."""

    def view(self, state: State, seat: int | None) -> View:
        return replace(super().view(state, seat), bank=state.bank)


class EventLeak(PledgeGame):
    """Tells with every pledge what lies in the bank."""

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        step = super().apply(state, seat, move, rng)
        return replace(step, facts=(*step.facts, Fact(None, Pledged(state.bank))))


class CountLeak(PledgeGame):
    """Tells of a pledge only if the bank is even: the number of events is the leak."""

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        step = super().apply(state, seat, move, rng)
        return replace(step, facts=step.facts * (1 + state.bank % 2))


class RefusalLeak(PledgeGame):
    """Says in a refusal what the others pledged."""

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        return IllegalMove(f"that is not on offer: {state.pledges}", "1.1")


class ClauseLeak(PledgeGame):
    """Names another clause when the others pledged an even sum."""

    def refusal(self, state: State, seat: int, move: Move) -> IllegalMove:
        return IllegalMove("that is not on offer", f"1.{sum(coins or 0 for coins in state.pledges) % 2}")


class OfferLeak(PledgeGame):
    """Takes an offer away when the bank is even."""

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        moves = super().legal_moves(state, seat)
        return moves if state.bank % 2 else moves[1:]


class OrderLeak(PledgeGame):
    """Sorts the offers by what is hidden."""

    def legal_moves(self, state: State, seat: int) -> tuple[Move, ...]:
        moves = super().legal_moves(state, seat)
        return moves if state.bank % 2 else moves[::-1]


class PromptLeak(PledgeGame):
    """Asks in other words when the bank is even."""

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        kinds = ("pledge", "pledge_now")
        return tuple(Prompt(prompt.seat, kinds[state.bank % 2]) for prompt in super().prompts(state))

    def prompt_label(self, prompt: Prompt) -> Label:
        return Label("prompt.pledge")


class AwaitingLeak(PledgeGame):
    """Asks the seats one by one when the bank is even."""

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        return super().prompts(state)[: None if state.bank % 2 else 1]


class SceneLeak(PledgeGame):
    """Draws as many coins as the view says, and the view says too much."""

    def view(self, state: State, seat: int | None) -> View:
        return replace(super().view(state, seat), bank=-1 - state.bank % 2)

    def scene(self, view: View) -> Scene:
        return Scene((Zone("bank", "bank", None, Label("title"), (Piece(count=1 - (view.bank or 0)),)),))


class ChainLeak(PledgeGame):
    """Says that a pledge tells something only if the bank is even, so that a chain is refused otherwise."""

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        step = super().apply(state, seat, move, rng)
        return replace(step, reveals=bool(state.bank % 2))


class ChanceLeak(PledgeGame):
    """Draws only if the bank is even, which a chain would notice too."""

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        if state.bank % 2:
            rng.below(2)
        return super().apply(state, seat, move, rng)


class SilentPeek(PledgeGame):
    """Lets a seat peek and calls it nothing new."""

    def apply(self, state: State, seat: int, move: Move, rng: Rng) -> Step[State, Event]:
        step = super().apply(state, seat, move, rng)
        return replace(step, reveals=False) if isinstance(move, Peek) else step


LEAKY = tuple(
    leaky()
    for leaky in (
        ViewLeak,
        EventLeak,
        CountLeak,
        RefusalLeak,
        ClauseLeak,
        OfferLeak,
        OrderLeak,
        PromptLeak,
        AwaitingLeak,
        SceneLeak,
        ChainLeak,
        ChanceLeak,
        SilentPeek,
    )
)
