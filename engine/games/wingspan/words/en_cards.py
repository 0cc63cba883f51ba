"""English: what powers and bonus cards say."""

WORDS: dict[str, str] = {
    "power.none": "No power.",
    "power.supply_gain": "Gain {count} × {food} from the supply.",
    "power.everyone_supply_gain": "Every player gains {count} × {food} from the supply.",
    "power.supply_cache": "Cache {count} × {food} from the supply on this bird.",
    "power.feeder_gain": "Take 1 {food} from the birdfeeder, if there is one.",
    "power.feeder_gain.cache": "Take 1 {food} from the birdfeeder, if there is one. You may cache it on this bird.",
    "power.feeder_gain.either": "Take 1 {food} or 1 {other} from the birdfeeder, if there is one.",
    "power.feeder_gain_all": "Take every {food} that is in the birdfeeder.",
    "power.everyone_feeder_die": "Every player takes a die from the birdfeeder. You say who goes first.",
    "power.fewest_birds_reward.draw_card": "The players with the fewest birds in the {habitat} draw a card.",
    "power.fewest_birds_reward.feeder_die": (
        "The players with the fewest birds in the {habitat} take a die from the birdfeeder. You say who goes first."
    ),
    "power.lay_self": "Lay an egg on this bird ({eggs}).",
    "power.lay_any": "Lay an egg on any of your birds ({eggs}).",
    "power.lay_each_nest": "Lay an egg on each of your birds with this nest: {nest}.",
    "power.everyone_lay": (
        "Every player lays an egg on a bird with this nest: {nest}. You may lay one more on another such bird."
    ),
    "power.draw_cards": "Draw cards: {count}.",
    "power.draw_then_owe_discard": "Draw cards: {draw}. At the end of your turn discard from your hand: {owe}.",
    "power.everyone_draw_deck": "Every player draws a card from the deck.",
    "power.draft_cards": (
        "Set aside one card for each player and {extra} more. From you on, clockwise, everybody takes one; "
        "you get what is left."
    ),
    "power.bonus_draw": "Look at {draw} new bonus cards and keep one.",
    "power.tuck_from_hand.draw_cards": "Tuck a card from your hand behind this bird. If you do, draw cards: {count}.",
    "power.tuck_from_hand.lay_self": (
        "Tuck a card from your hand behind this bird. If you do, you may lay an egg on it ({eggs})."
    ),
    "power.tuck_from_hand.gain": "Tuck a card from your hand behind this bird. If you do, gain 1 {food}.",
    "power.tuck_from_hand.gain_either": (
        "Tuck a card from your hand behind this bird. If you do, gain 1 {food} or 1 {other}."
    ),
    "power.food_for_deck_tuck": "Pay 1 {food} to tuck cards from the deck behind this bird: {tuck}.",
    "power.egg_for_food": "Discard an egg from another bird of yours to gain any food: {count}.",
    "power.egg_for_cards": "Discard an egg from any of your birds to draw cards: {draw}.",
    "power.swap_food": "Exchange a food of yours for another one from the supply.",
    "power.hunt_deck": (
        "Reveal the top card of the deck. If its wingspan is below {cm} cm, tuck it behind this bird; "
        "otherwise discard it."
    ),
    "power.hunt_dice": "Roll the dice outside the birdfeeder. If any shows {food}, cache one on this bird.",
    "power.relocate_if_rightmost": "If this is the rightmost bird of its habitat, move it to another habitat.",
    "power.extra_play": "Play another bird into the {habitat}, at its normal cost.",
    "power.extra_play.here": "Play another bird into the habitat of this one, at its normal cost.",
    "power.repeat_power": "Use the power of another bird in this habitat that has one when activated.",
    "power.repeat_power.hunters": "Use the power of another hunting bird in this habitat.",
    "power.react_lay_nest": "When another player lays eggs: lay one on another bird of yours with this nest: {nest}.",
    "power.react_feeder_die": "When the hunt of another player succeeds: take a die from the birdfeeder.",
    "power.react_supply_gain": "When another player plays a bird into the {habitat}: gain 1 {food}.",
    "power.react_tuck_from_hand": (
        "When another player plays a bird into the {habitat}: tuck a card from your hand behind this bird."
    ),
    "power.react_supply_cache": (
        "When another player gains {food} with the action: cache one from the supply on this bird."
    ),
    "bonus.anatomist": "Birds with a part of the body in their names",
    "bonus.backyard_birder": "Birds worth less than 4 points",
    "bonus.bird_counter": "Birds that flock",
    "bonus.bird_feeder": "Birds that eat seed",
    "bonus.breeding_manager": "Birds with at least 4 eggs",
    "bonus.cartographer": "Birds with a place in their names",
    "bonus.ecologist": "Birds in your habitat with the fewest birds",
    "bonus.enclosure_builder": "Birds with ground nests",
    "bonus.falconer": "Birds that hunt",
    "bonus.fishery_manager": "Birds that eat fish",
    "bonus.food_web_expert": "Birds that eat only invertebrates",
    "bonus.forester": "Birds that live only in the forest",
    "bonus.historian": "Birds named after a person",
    "bonus.large_bird_specialist": "Birds with wingspans over 65 cm",
    "bonus.nest_box_builder": "Birds with cavity nests",
    "bonus.omnivore_expert": "Birds that eat anything",
    "bonus.oologist": "Birds with at least one egg",
    "bonus.passerine_specialist": "Birds with wingspans of 30 cm or less",
    "bonus.photographer": "Birds with a color in their names",
    "bonus.platform_builder": "Birds with platform nests",
    "bonus.prairie_manager": "Birds that live only in the grassland",
    "bonus.rodentologist": "Birds that eat rodents",
    "bonus.visionary_leader": "Bird cards in your hand",
    "bonus.viticulturalist": "Birds that eat fruit",
    "bonus.wetland_scientist": "Birds that live only in the wetland",
    "bonus.wildlife_gardener": "Birds with bowl nests",
}
