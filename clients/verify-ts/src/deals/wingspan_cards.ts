/** What is in the box, in the order in which it is shuffled. */

/** The bird cards. */
export const BIRDS: readonly string[] = [
  "acorn_woodpecker", "american_avocet", "american_bittern", "american_coot", "american_crow", "american_goldfinch",
  "american_kestrel", "american_oystercatcher", "american_robin", "american_white_pelican", "american_woodcock",
  "anhinga", "annas_hummingbird", "ash_throated_flycatcher", "atlantic_puffin", "bairds_sparrow", "bald_eagle",
  "baltimore_oriole", "barn_owl", "barn_swallow", "barred_owl", "barrows_goldeneye", "bells_vireo",
  "belted_kingfisher", "bewicks_wren", "black_bellied_whistling_duck", "black_billed_magpie",
  "black_crowned_night_heron", "black_necked_stilt", "black_skimmer", "black_tern", "black_vulture",
  "blue_gray_gnatcatcher", "blue_grosbeak", "blue_jay", "blue_winged_warbler", "bobolink", "brewers_blackbird",
  "bronzed_cowbird", "brown_headed_cowbird", "brown_pelican", "burrowing_owl", "bushtit", "california_condor",
  "california_quail", "canada_goose", "carolina_chickadee", "carolina_wren", "cassins_finch", "cassins_sparrow",
  "cedar_waxwing", "cerulean_warbler", "chestnut_collared_longspur", "chihuahuan_raven", "chimney_swift",
  "chipping_sparrow", "clarks_grebe", "clarks_nutcracker", "common_grackle", "common_loon", "common_merganser",
  "common_nighthawk", "common_raven", "common_yellowthroat", "coopers_hawk", "dark_eyed_junco", "dickcissel",
  "double_crested_cormorant", "downy_woodpecker", "eastern_bluebird", "eastern_kingbird", "eastern_phoebe",
  "eastern_screech_owl", "ferruginous_hawk", "fish_crow", "forsters_tern", "franklins_gull", "golden_eagle",
  "grasshopper_sparrow", "gray_catbird", "great_blue_heron", "great_crested_flycatcher", "great_egret",
  "great_horned_owl", "greater_prairie_chicken", "greater_roadrunner", "green_heron", "hermit_thrush",
  "hooded_merganser", "hooded_warbler", "horned_lark", "house_finch", "house_wren", "inca_dove", "indigo_bunting",
  "juniper_titmouse", "killdeer", "king_rail", "lazuli_bunting", "lincolns_sparrow", "loggerhead_shrike", "mallard",
  "mississippi_kite", "mountain_bluebird", "mountain_chickadee", "mourning_dove", "northern_bobwhite",
  "northern_cardinal", "northern_flicker", "northern_harrier", "northern_mockingbird", "northern_shoveler", "osprey",
  "painted_bunting", "peregrine_falcon", "pied_billed_grebe", "pileated_woodpecker", "pine_siskin",
  "prothonotary_warbler", "purple_gallinule", "purple_martin", "pygmy_nuthatch", "red_bellied_woodpecker",
  "red_breasted_nuthatch", "red_cockaded_woodpecker", "red_crossbill", "red_eyed_vireo", "red_headed_woodpecker",
  "red_shouldered_hawk", "red_tailed_hawk", "red_winged_blackbird", "ring_billed_gull", "rose_breasted_grosbeak",
  "roseate_spoonbill", "ruby_crowned_kinglet", "ruby_throated_hummingbird", "ruddy_duck", "sandhill_crane",
  "savannah_sparrow", "says_phoebe", "scissor_tailed_flycatcher", "snowy_egret", "song_sparrow", "spotted_owl",
  "spotted_sandpiper", "spotted_towhee", "spragues_pipit", "stellers_jay", "swainsons_hawk", "tree_swallow",
  "trumpeter_swan", "tufted_titmouse", "turkey_vulture", "violet_green_swallow", "western_meadowlark",
  "western_tanager", "white_breasted_nuthatch", "white_crowned_sparrow", "white_faced_ibis", "whooping_crane",
  "wild_turkey", "willet", "wilsons_snipe", "wood_duck", "wood_stork", "yellow_bellied_sapsucker",
  "yellow_billed_cuckoo", "yellow_breasted_chat", "yellow_headed_blackbird", "yellow_rumped_warbler",
];

/** The bonus cards. */
export const BONUS_CARDS: readonly string[] = [
  "anatomist", "backyard_birder", "bird_counter", "bird_feeder", "breeding_manager", "cartographer", "ecologist",
  "enclosure_builder", "falconer", "fishery_manager", "food_web_expert", "forester", "historian",
  "large_bird_specialist", "nest_box_builder", "omnivore_expert", "oologist", "passerine_specialist", "photographer",
  "platform_builder", "prairie_manager", "rodentologist", "visionary_leader", "viticulturalist", "wetland_scientist",
  "wildlife_gardener",
];

/** The goal tiles with their two sides. */
export const GOAL_TILES: readonly (readonly string[])[] = [
  ["birds_in_forest", "eggs_in_forest"],
  ["birds_in_grassland", "eggs_in_grassland"],
  ["birds_in_wetland", "eggs_in_wetland"],
  ["bowl_birds_with_eggs", "eggs_in_bowl_nests"],
  ["cavity_birds_with_eggs", "eggs_in_cavity_nests"],
  ["ground_birds_with_eggs", "eggs_in_ground_nests"],
  ["platform_birds_with_eggs", "eggs_in_platform_nests"],
  ["total_birds", "egg_sets_across_habitats"],
];
