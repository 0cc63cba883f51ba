"""Spanish: what powers and bonus cards say."""

WORDS: dict[str, str] = {
    "power.none": "Sin poder.",
    "power.supply_gain": "Consigue {count} × {food} de la reserva.",
    "power.everyone_supply_gain": "Todos los jugadores consiguen {count} × {food} de la reserva.",
    "power.supply_cache": "Almacena {count} × {food} de la reserva en esta ave.",
    "power.feeder_gain": "Toma del comedero, si hay: {food}.",
    "power.feeder_gain.cache": "Toma del comedero, si hay: {food}. Puedes almacenarlo en esta ave.",
    "power.feeder_gain.either": "Toma del comedero, si hay: {food} o {other}.",
    "power.feeder_gain_all": "Toma todos los dados del comedero que den: {food}.",
    "power.everyone_feeder_die": "Todos los jugadores toman un dado del comedero. Tú decides quién empieza.",
    "power.fewest_birds_reward.draw_card": "Los jugadores con menos aves en este hábitat roban una carta: {habitat}.",
    "power.fewest_birds_reward.feeder_die": (
        "Los jugadores con menos aves en este hábitat toman un dado del comedero: {habitat}. Tú decides quién empieza."
    ),
    "power.lay_self": "Pon un huevo en esta ave ({eggs}).",
    "power.lay_any": "Pon un huevo en cualquiera de tus aves ({eggs}).",
    "power.lay_each_nest": "Pon un huevo en cada una de tus aves con este nido: {nest}.",
    "power.everyone_lay": (
        "Todos los jugadores ponen un huevo en un ave con este nido: {nest}. Tú puedes poner otro en otra de esas aves."
    ),
    "power.draw_cards": "Roba cartas: {count}.",
    "power.draw_then_owe_discard": "Roba cartas: {draw}. Al final de tu turno descarta de tu mano: {owe}.",
    "power.everyone_draw_deck": "Todos los jugadores roban una carta del mazo.",
    "power.draft_cards": (
        "Aparta una carta por jugador y {extra} más. Empezando por ti, en sentido horario, cada uno toma una; "
        "lo que quede es tuyo."
    ),
    "power.bonus_draw": "Mira {draw} nuevas cartas de bonificación y conserva una.",
    "power.tuck_from_hand.draw_cards": "Solapa una carta de tu mano bajo esta ave. Si lo haces, roba cartas: {count}.",
    "power.tuck_from_hand.lay_self": (
        "Solapa una carta de tu mano bajo esta ave. Si lo haces, puedes poner un huevo en ella ({eggs})."
    ),
    "power.tuck_from_hand.gain": "Solapa una carta de tu mano bajo esta ave. Si lo haces, consigue: {food}.",
    "power.tuck_from_hand.gain_either": (
        "Solapa una carta de tu mano bajo esta ave. Si lo haces, consigue: {food} o {other}."
    ),
    "power.food_for_deck_tuck": "Paga esta comida para solapar cartas del mazo bajo esta ave ({tuck}): {food}.",
    "power.egg_for_food": "Descarta un huevo de otra de tus aves para conseguir cualquier comida: {count}.",
    "power.egg_for_cards": "Descarta un huevo de cualquiera de tus aves para robar cartas: {draw}.",
    "power.swap_food": "Cambia una comida tuya por otra distinta de la reserva.",
    "power.hunt_deck": (
        "Revela la primera carta del mazo. Si su envergadura es menor de {cm} cm, solápala bajo esta ave; "
        "si no, descártala."
    ),
    "power.hunt_dice": "Tira los dados que están fuera del comedero. Si sale esto, almacena uno en esta ave: {food}.",
    "power.relocate_if_rightmost": "Si esta ave es la de más a la derecha de su hábitat, muévela a otro hábitat.",
    "power.extra_play": "Juega otra ave en este hábitat, pagando su coste normal: {habitat}.",
    "power.extra_play.here": "Juega otra ave en el hábitat de esta, pagando su coste normal.",
    "power.repeat_power": "Usa el poder de otra ave de este hábitat que lo tenga al activarse.",
    "power.repeat_power.hunters": "Usa el poder de otra ave cazadora de este hábitat.",
    "power.react_lay_nest": "Cuando otro jugador ponga huevos: pon un huevo en otra ave tuya con este nido: {nest}.",
    "power.react_feeder_die": "Cuando la caza de otro jugador tenga éxito: toma un dado del comedero.",
    "power.react_supply_gain": "Cuando otro jugador juegue un ave aquí: {habitat}. Consigue {food}.",
    "power.react_tuck_from_hand": (
        "Cuando otro jugador juegue un ave aquí: {habitat}. Solapa una carta de tu mano bajo esta ave."
    ),
    "power.react_supply_cache": "Cuando otro jugador consiga esto con la acción: {food}. Almacena uno en esta ave.",
    "bonus.anatomist": "Aves con una parte del cuerpo en el nombre",
    "bonus.backyard_birder": "Aves que valen menos de 4 puntos",
    "bonus.bird_counter": "Aves que forman bandadas",
    "bonus.bird_feeder": "Aves que comen semillas",
    "bonus.breeding_manager": "Aves con al menos 4 huevos",
    "bonus.cartographer": "Aves con un lugar en el nombre",
    "bonus.ecologist": "Aves en tu hábitat con menos aves",
    "bonus.enclosure_builder": "Aves con nido en el suelo",
    "bonus.falconer": "Aves cazadoras",
    "bonus.fishery_manager": "Aves que comen peces",
    "bonus.food_web_expert": "Aves que solo comen invertebrados",
    "bonus.forester": "Aves que solo viven en el bosque",
    "bonus.historian": "Aves con nombre de persona",
    "bonus.large_bird_specialist": "Aves con más de 65 cm de envergadura",
    "bonus.nest_box_builder": "Aves con nido en cavidad",
    "bonus.omnivore_expert": "Aves que comen de todo",
    "bonus.oologist": "Aves con al menos un huevo",
    "bonus.passerine_specialist": "Aves de hasta 30 cm de envergadura",
    "bonus.photographer": "Aves con un color en el nombre",
    "bonus.platform_builder": "Aves con nido de plataforma",
    "bonus.prairie_manager": "Aves que solo viven en la pradera",
    "bonus.rodentologist": "Aves que comen roedores",
    "bonus.visionary_leader": "Cartas de ave en tu mano",
    "bonus.viticulturalist": "Aves que comen fruta",
    "bonus.wetland_scientist": "Aves que solo viven en el humedal",
    "bonus.wildlife_gardener": "Aves con nido de cuenco",
}
