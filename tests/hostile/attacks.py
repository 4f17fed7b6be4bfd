"""Attacks: what others did to programs like this one, tried against tabmux; none gets through."""

from __future__ import annotations

from tests.hostile.row import row

HTTP = "daemon/test_security.py::"
ACCESS = "bridge/test_access_check.py::"
CHROME = "bridge/test_security.py::"
GREETING = "bridge/test_extension_handshake.py::"
PAIRING = "bridge/test_pairing.py::"
MATRIX = "tools/test_policy_matrix.py::"
FILTER = "browsers/test_url_filter.py::"
FILES = "tools/pipeline/test_file_access.py::"
BROWSER = "hostile/test_browser_faults.py::"
HOST = "hostile/test_host_faults.py::"
EXTENSION = "hostile/test_extension_faults.py::"
EVERY_TOOL = "hostile/test_attacks.py::"

ATTACKS = (
    row("S-01", "request without the token on every route", "refused", f"{HTTP}s01_s10_no_route_answers_without_the_token"),
    row("S-02", "program, variable or folder named by a request", "there is no such argument", f"{HTTP}s02_no_argument_names_a_program", f"{HTTP}s02_no_query_or_header_starts_a_program"),
    row("S-03", "foreign Host and Origin on every way in", "refused", f"{HTTP}s03_s07_no_foreign_host_comes_in", f"{HTTP}s03_s07_no_foreign_origin_comes_in"),
    row("S-04", "any address to listen on", "the same checks", f"{HTTP}s04_the_guard_is_there_whatever_address_is_served"),
    row("S-05", "setting that lets everyone in", "there is none", f"{HTTP}s05_no_setting_lets_everyone_in"),
    row("S-06", "foreign Origin with a body; simple requests", "refused before the body is read", f"{HTTP}s06_a_foreign_origin_is_refused_before_its_body_is_read", f"{HTTP}s06_no_answer_repeats_a_foreign_origin"),
    row("S-07", "hosts that look like ours", "refused", f"{HTTP}s03_s07_no_foreign_host_comes_in"),
    row("S-08", "other content types", "not read", f"{HTTP}s06_s08_only_json_is_read"),
    row("S-09", "grid that lets everybody start programs", "no browser, so nothing is asked of it", "cdp/test_discovery.py::answer_of_something_else_is_refused"),
    row("S-10", "route that somebody adds", "guarded, too", f"{HTTP}s01_s10_no_route_answers_without_the_token", f"{ACCESS}every_route_asks_for_a_secret_also_those_added_later"),
    row("S-11", "DNS rebinding from a real page", "reaches nothing", "daemon/test_rebinding.py::a_page_on_another_port_of_a_rebound_name_reaches_nothing", "daemon/test_rebinding.py::a_page_of_the_same_origin_as_the_rebound_name_reaches_nothing"),
    row("S-12", "web page opens the bridge's socket", "refused", f"{CHROME}no_web_page_reaches_the_bridge", f"{EXTENSION}page_in_a_tab_that_was_lent_cannot_speak_for_the_extension"),
    row("S-13", "socket without the secret", "refused", f"{ACCESS}every_route_asks_for_a_secret_also_those_added_later"),
    row("S-14", "program without an Origin, or with that of the extension", "refused", f"{GREETING}a_program_that_claims_to_be_the_extension_hears_only_a_challenge", f"{ACCESS}another_extension_needs_a_token", f"{EXTENSION}paired_extension_serves_its_agent_while_strangers_attack"),
    row("S-15", "secrets read by others, planted links", "private, not followed", f"{PAIRING}secrets_are_kept_where_only_their_owner_can_read_them", f"{PAIRING}a_planted_link_is_not_followed"),
    row("S-16", "almost the token", "worth nothing", f"{PAIRING}only_the_exact_token_is_the_token", f"{ACCESS}a_wrong_token_is_worth_nothing"),
    row("S-17", "foreign Host on the socket", "refused", f"{ACCESS}only_loopback_with_our_port_is_our_host"),
    row("S-18", "second connection takes the place of the first", "it does not", "bridge/test_bridge_server.py::a_live_extension_is_not_replaced_by_a_second_one"),
    row("S-19", "secret in what is shipped", "there is none", "cli/commands/test_extension_command.py::two_installations_have_different_secrets_and_the_files_hold_none"),
    row("S-20", "listening without proof", "only a challenge, then cut off", f"{GREETING}nothing_is_said_to_who_does_not_prove_itself", f"{GREETING}who_says_nothing_is_cut_off"),
    row("S-21", "reached from other machines", "loopback only, or with a token", f"{HTTP}s21_every_listener_is_on_loopback", f"{HTTP}s21_others_are_not_served_without_a_token"),
    row("S-22", "message about no tab", "refused, not applied to all", f"{ACCESS}a_message_about_no_tab_is_refused_rather_than_applied_to_all"),
    row("S-23", "page changes where the extension connects", "it cannot", f"{CHROME}nothing_that_a_page_does_changes_where_the_extension_connects"),
    row("S-24", "page or extension speaks to ours", "no way in", f"{CHROME}the_extension_opens_no_way_in_for_pages", f"{CHROME}a_second_extension_reaches_neither_the_bridge_nor_the_first"),
    row("S-25", "fake server on the port", "learns nothing", f"{CHROME}a_fake_server_on_the_port_learns_nothing"),
    row("S-26", "port file of a profile", "read without /json/version, or an error", "cdp/test_discovery.py::profile_folder_tells_the_socket_of_its_browser"),
    row("S-27", "debugging socket on another host", "refused", "cdp/test_discovery.py::socket_on_another_host_is_refused"),
    row("S-28", "debugging port of our browser", "there is none", f"{BROWSER}launched_browser_has_no_port_and_no_open_door"),
    row("S-29", "planted links for socket and lock", "refused", "daemon/process/test_daemon_process.py::folder_that_is_a_link_is_refused"),
    row("S-30", "other schemes on every way to navigate", "refused", f"{MATRIX}no_tool_goes_where_pages_may_not_go"),
    row("S-31", "policy passed by on some routes", "one policy for every tool, and below them", f"{MATRIX}hostile_steps_of_a_batch_go_nowhere", f"{FILTER}every_way_out_is_one_where_nothing_is_forbidden"),
    row("S-32", "server fetches what an agent names", "it does not; other hosts are refused", f"{EVERY_TOOL}no_address_in_an_argument_makes_this_process_connect_to_it", "cdp/test_discovery.py::socket_on_another_host_is_refused", "cdp/test_discovery.py::answer_of_something_else_is_refused"),
    row("S-33", "spellings of this machine", "known as it", "policy/test_url_policy.py::denied_machine_is_denied_in_every_spelling", f"{MATRIX}no_spelling_gets_a_page_itself_to_the_canary"),
    row("S-34", "paths out of the folders, for every file argument", "refused", f"{MATRIX}no_file_outside_the_roots_is_read_or_written"),
    row("S-35", "links, hard links, swaps after the check", "lead nowhere", f"{FILES}no_race_gets_outside", f"{FILES}folder_swapped_for_a_link_after_the_check_is_not_entered", f"{MATRIX}second_name_of_a_file_outside_is_no_way_to_it"),
    row("S-36", "tools that were left out", "neither listed nor called", "tools/pipeline/test_access.py::enabling_a_group_does_not_bring_refused_tools_back", "tools/pipeline/test_access.py::without_scripts_no_tool_runs_what_the_agent_wrote"),
    row("S-37", "text of an agent reaches a shell", "it does not", f"{BROWSER}no_agent_starts_a_command"),
    row("S-38", "agent defines a start command", "refused", f"{BROWSER}no_agent_starts_a_command"),
    row("S-39", "agent gives browser flags", "there is no such argument", f"{HTTP}s02_no_argument_names_a_program"),
    row("S-40", "$HOME and ~ in arguments", "stay what they are", "policy/test_file_policy.py::home_is_not_expanded_and_the_refusal_says_so"),
    row("S-41", "session id of somebody else", "opens nothing", f"{HTTP}s41_a_session_id_opens_nothing_without_the_token", f"{HTTP}s41_an_id_of_one_transport_is_unknown_to_the_others"),
    row("S-42", "handles in other sessions and logs", "never", f"{HTTP}s42_a_handle_appears_in_no_other_session_and_no_log"),
    row("S-43", "client chooses its session id", "it cannot", f"{HTTP}s43_a_client_cannot_choose_its_session", f"{HTTP}s43_ids_are_long_random_and_never_repeat"),
    row("S-44", "flood of sessions", "bounded", f"{HTTP}s44_a_flood_of_sessions_is_bounded_and_harms_nobody"),
    row("S-45", "broken frames and upgrades", "closed, nobody harmed", f"{HTTP}s45_a_broken_upgrade_neither_hangs_nor_lives", "mcp/stream/test_mcp_websocket.py::a_bad_frame_closes_the_socket_and_harms_nobody_else", "bridge/test_fuzz.py::broken_frames_and_requests_leave_the_bridge_serving"),
    row("S-46", "agent obeys the page", "policy alone keeps files and hosts out of reach", f"{FILTER}nothing_that_a_page_does_reaches_a_host_that_is_not_allowed", f"{MATRIX}no_file_outside_the_roots_is_read_or_written"),
    row("S-47", "page ends the fence around its words", "it cannot", "tools/pipeline/test_delivery.py::no_page_can_end_its_fence", "tools/pipeline/test_delivery.py::letters_that_only_machines_see_are_dropped"),
    row("S-48", "page reaches a denied host in any way", "it does not", f"{FILTER}nothing_that_a_page_does_reaches_a_host_that_is_denied", f"{FILTER}popups_of_frames_and_of_isolated_contexts_are_held_too"),
    row("S-49", "secrets in logs and replies", "never", "daemon/http/test_http_server.py::the_token_is_never_logged", "pagetools/call/test_tool_calls.py::secret_is_typed_by_name_and_never_shown", "policy/test_header_redaction.py::credentials_in_headers_are_redacted"),
    row("S-50", "files readable by others", "private whatever the umask", f"{HOST}files_are_private_whatever_the_umask", f"{FILES}file_is_private_and_its_folders_are_made"),
    row("S-51", "error that repeats a long input", "cut", f"{HTTP}s51_an_error_never_repeats_a_long_input", f"{HTTP}s51_a_long_path_or_header_is_not_repeated"),
    row("S-52", "one agent reaches another's tab", "refused as unknown", "tools/core/test_pages.py::page_of_another_session_is_refused_and_not_listed", "sessions/test_uids.py::uids_of_nobody_and_of_others_are_refused", "tools/storage/test_downloads.py::other_sessions_see_nothing_of_it"),
    row("S-53", "page speaks as tabmux in whatever it names", "in quotation marks or in a fence only", "hostile/test_voices.py::no_page_speaks_as_tabmux_whatever_it_names", "tools/pipeline/test_delivery.py::no_page_can_end_its_fence"),
    row("S-54", "agent reads or rewrites tabmux's own files and its policy", "refused, whatever folder is allowed", "policy/test_file_policy.py::files_of_tabmux_itself_are_never_an_agents", "policy/test_file_policy.py::policy_file_is_no_agents_though_its_folder_is"),
    row("S-55", "names that are code in what a run is exported to", "stay text", "record/test_replay_plan.py::name_of_a_tool_is_no_code", "record/test_replay_plan.py::a_text_with_quotes_and_braces_is_written_as_it_is"),
    row("S-56", "page spells a secret in another way", "it is found", "secrets/test_filled_values.py::value_is_taken_out_however_a_script_writes_it", "tools/test_secret_tools.py::letters_that_nobody_sees_hide_no_value_in_data"),
)  # fmt: skip
