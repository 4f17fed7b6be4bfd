"""Faults: everything that breaks around tabmux, and what it promises then."""

from __future__ import annotations

from tests.hostile.row import row

BROWSER = "hostile/test_browser_faults.py::"
PAGE = "hostile/test_page_faults.py::"
HOST = "hostile/test_host_faults.py::"
WIRE = "hostile/test_transport_faults.py::"
LAUNCHED = "browsers/test_launched.py::"
BROWSERS = "tools/browser/test_browsers.py::"
PIPELINE = "tools/pipeline/test_pipeline.py::"
DIALOGS = "tools/core/test_dialogs.py::"
NAVIGATION = "tools/core/test_navigation.py::"
CDP = "cdp/test_cdp_connection.py::"
ENDPOINT = "mcp/http/test_endpoint.py::"
STREAM = "mcp/stream/test_line_stream.py::"
DAEMON = "daemon/process/test_daemon_process.py::"
BRIDGE = "bridge/test_bridge_server.py::"
LINK = "bridge/test_extension_socket.py::"
LIFE = "extension/test_life.py::"
EXTENSION = "hostile/test_extension_faults.py::"
DAEMON_FAULT = "hostile/test_daemon_faults.py::"

FAULTS = (
    # The browser's process
    row("1", "browser killed, call in flight", "the call fails at once, the browser comes back", f"{PIPELINE}killed_browser_fails_every_pending_call_at_once"),
    row("2", "browser killed, idle", "noticed and healed, no other browser disturbed", f"{BROWSERS}killed_browser_is_noticed_healed_and_disturbs_no_other"),
    row("3", "browser stopped for some seconds", "it keeps its pages", f"{LAUNCHED}browser_that_was_frozen_for_a_while_keeps_its_pages"),
    row("4", "browser stopped for long", "the heartbeat notices", f"{BROWSERS}stopped_browser_is_noticed_by_the_heartbeat", f"{LAUNCHED}frozen_browser_is_killed_at_once"),
    row("5", "user quits the browser", "the next call starts it again", f"{BROWSER}browser_that_its_user_quits_is_started_again_by_the_next_call"),
    row("6", "browser exits at start", "the error quotes it", f"{LAUNCHED}browser_that_dies_as_it_starts_is_quoted"),
    row("7", "start command hangs", "given up with an error", f"{BROWSER}start_command_that_never_opens_its_port_is_given_up"),
    row("8", "start command forks and ends", "the port counts, and the browser is left running", f"{BROWSER}start_command_that_leaves_its_browser_running_is_known_by_its_port"),
    row("9", "start command fails again and again", "run only by reconnect_browser, with pauses, and one attempt at a time", f"{BROWSER}start_command_that_fails_again_and_again_is_tried_with_pauses", f"{BROWSERS}many_calls_to_a_pending_browser_make_one_attempt"),
    row("10", "profile in use by another Chrome", "refused, and its user is named", f"{LAUNCHED}profile_in_use_is_refused_and_its_user_named"),
    row("11", "lock left by a killed Chrome", "no obstacle", f"{LAUNCHED}lock_of_a_dead_process_is_no_obstacle"),
    row("12", "something else at the address", "refused", "cdp/test_discovery.py::answer_of_something_else_is_refused", "cdp/test_discovery.py::profile_without_a_running_browser_is_an_error"),
    row("13", "browser replaced on the disk", "the old one works, the new one starts", f"{BROWSER}browser_that_is_replaced_on_the_disk_keeps_working_and_starts_again"),
    row("14", "GPU and utility processes killed", "not noticed", f"{BROWSER}helper_process_that_is_killed_is_not_noticed"),
    row("15", "zygote killed", "a stated error, and a new browser after this one", f"{BROWSER}browser_without_its_zygote_says_what_is_wrong_or_goes_on"),
    row("16", "browser or page out of memory", "that page is lost or the browser comes back, nothing else", f"{PAGE}script_that_takes_all_memory_crashes_its_page_alone", f"{BROWSER}browser_that_runs_out_of_memory_loses_its_page_and_comes_back"),
    # Tabs
    row("17", "tab crashes during a call", "the call fails at once, a reload revives it", f"{PIPELINE}crashed_page_fails_its_call_and_comes_back_by_a_reload"),
    row("18", "chrome://crash", "refused before it is reached", "policy/test_url_policy.py::what_no_page_may_be_sent_to_is_refused"),
    row("19", "renderer killed", "its page alone fails and comes back", f"{PAGE}killed_renderer_fails_its_page_alone_and_comes_back"),
    row("20", "endless script of the agent", "stopped, the page lives", "tools/debugging/test_script.py::endless_loop_is_stopped_and_the_page_lives_on"),
    row("21", "endless handler of the page", "stopped at the deadline", f"{PIPELINE}handler_that_never_ends_is_stopped_at_the_deadline"),
    row("22", "busy loop in a tab of another agent", "others go on", f"{PAGE}busy_page_of_the_same_site_does_not_stop_another_agent"),
    row("23", "dialog during a call", "shown, answered", f"{DIALOGS}dialog_is_answered_while_another_call_is_stuck_behind_it", f"{DIALOGS}click_that_opens_an_alert_returns_at_once_and_shows_it"),
    row("24", "dialog at any moment", "never hangs", f"{DIALOGS}dialog_that_opens_during_a_snapshot_ends_it_at_once", f"{DIALOGS}reload_clears_a_dialog"),
    row("25", "300 dialogs in a loop", "all answered", f"{PAGE}three_hundred_alerts_are_all_answered"),
    row("26", "page that asks before leaving", "answered as the agent wants", f"{NAVIGATION}page_that_asks_before_leaving"),
    row("27", "password, permission, chooser, print", "never hangs", f"{PAGE}what_a_page_asks_its_user_holds_no_call_up", f"{PAGE}chooser_of_files_holds_no_call_up", f"{PAGE}server_that_wants_a_password_holds_no_call_up"),
    row("28", "a million console messages", "bounded, counted, nobody delayed", "page/console/test_console_log.py::million_messages_cost_a_fixed_amount", "tools/debugging/test_console.py::flood_of_messages_costs_a_fixed_amount_and_delays_nobody"),
    row("29", "huge, cyclic and throwing console values", "cut", f"{PAGE}console_of_huge_cyclic_and_throwing_values_is_bounded", "page/console/test_console_log.py::few_huge_messages_are_bounded_too"),
    row("30", "a million nodes", "shown in part, in time", f"{PAGE}page_of_very_many_nodes_is_shown_in_part"),
    row("31", "10,000 frames; frames that come and go", "shown, and forgotten", f"{PAGE}page_of_very_many_frames_is_shown_to_the_end", f"{PAGE}frames_that_come_and_go_leave_nothing_behind"),
    row("32", "storm of windows", "they belong to their opener", f"{PAGE}storm_of_windows_belongs_to_its_opener"),
    row("33", "tab closes or leaves during an action", "an error or a success, never another tab", f"{PAGE}page_that_leaves_while_it_is_used_is_never_another", f"{PIPELINE}page_closed_in_the_middle_of_a_call_fails_it_at_once"),
    row("34", "frozen tab", "attached, no hang", f"{PAGE}frozen_tab_is_attached_and_used", "page/test_handle.py::tab_that_chrome_does_not_hand_over_is_said_to_be_so"),
    row("35", "pages of the browser itself", "no trouble, DevTools not listed", f"{BROWSER}second_debugger_and_pages_of_the_browser_itself_disturb_nobody"),
    row("36", "second debugger", "both work", f"{BROWSER}second_debugger_and_pages_of_the_browser_itself_disturb_nobody"),
    row("37", "500 tabs at connect", "listed at once", f"{BROWSER}five_hundred_tabs_at_connect_are_listed_at_once"),
    row("38", "tabs that crash as they come and go", "never mixed up", f"{PAGE}pages_that_crash_as_they_come_and_go_are_not_mixed_up"),
    row("39", "page replaces JSON, Promise, the DOM", "read as it is", f"{PAGE}page_that_replaces_the_language_itself_is_still_read"),
    # Network and content
    row("40", "document without end", "the page is usable", f"{NAVIGATION}page_that_never_finishes_loading_is_usable"),
    row("41", "headers never arrive", "ends at the timeout", f"{NAVIGATION}server_that_never_answers_ends_at_the_timeout"),
    row("42", "redirects without end, or to where pages may not go", "a stated error", f"{PAGE}page_without_end_of_redirects_is_an_error", "browsers/test_url_filter.py::redirect_to_a_forbidden_host_is_a_refusal"),
    row("43", "document of a gigabyte", "nobody waits, the tab is usable again", f"{PAGE}document_of_a_gigabyte_keeps_nobody_waiting"),
    row("44", "compressed bomb", "not unpacked by us", f"{PAGE}bomb_of_compressed_zeros_is_not_read_by_us"),
    row("45", "500 downloads, 2 GB, bad names", "bounded, whole, inside the folder", "browsers/test_downloads.py::a_storm_of_downloads_is_bounded", "tools/storage/test_downloads.py::name_cannot_lead_out_of_the_folder", f"{PAGE}download_of_two_gigabytes_arrives_whole"),
    row("46", "broken TLS", "a stated error", f"{PAGE}broken_encryption_is_a_stated_error"),
    row("47", "no such host; offline", "a stated error", f"{NAVIGATION}address_that_cannot_be_visited_is_an_error", "tools/debugging/test_emulation.py::offline_really_is_and_ends"),
    row("48", "thousands of requests", "bounded", f"{PAGE}socket_that_floods_the_page_is_bounded", "page/network/test_network_log.py::many_sockets_with_many_messages_are_bounded"),
    row("49", "service worker answers everything", "marked", "tools/debugging/test_network.py::service_workers_answers_are_marked"),
    row("50", "picture of an enormous page", "taken or refused", f"{PAGE}picture_of_an_enormous_page_is_taken_or_refused"),
    row("51", "print and heap of a huge page", "written or a deadline, nothing half", f"{PAGE}huge_page_is_printed_and_its_heap_written"),
    row("52", "text in any bytes", "valid text without controls", f"{PAGE}text_in_any_bytes_comes_out_as_text"),
    # The extension
    row("53", "worker idle", "kept awake", f"{LIFE}silence_does_not_put_the_worker_to_sleep"),
    row("54", "worker killed during a call", "waits, keeps its tabs", f"{LIFE}session_keeps_its_tabs_when_the_worker_is_killed", f"{LIFE}call_during_the_gap_waits_for_the_worker"),
    row("55", "peer vanishes without a word", "noticed", f"{LINK}an_extension_that_is_silent_for_too_long_is_not_there"),
    row("56", "machine sleeps", "nothing is done twice, and the time is not counted against the browser", f"{EXTENSION}browser_that_slept_comes_back_and_does_nothing_twice", f"{CDP}time_in_which_we_stood_still_is_not_counted_against_the_browser"),
    row("57", "reader that never reads", "given up", f"{LINK}an_extension_that_does_not_read_is_given_up"),
    row("58", "another version of the protocol", "no answer, nobody harmed", "bridge/test_extension_handshake.py::nothing_is_said_to_who_does_not_prove_itself", "bridge/test_fuzz.py::malformed_greetings_get_no_answer_and_leave_the_bridge_serving"),
    row("59", "debugger detached by the user", "what is under way fails, the owner is told", "bridge/test_extension_transport.py::tab_that_is_taken_back_fails_what_is_under_way"),
    row("60", "extension disabled", "its browser is gone at once", "daemon/bridge/test_extension_tabs.py::2_when_the_extension_disconnects_so_does_the_session"),
    row("61", "two profiles with the extension", "two browsers", "daemon/bridge/test_extension_browsers.py::every_profile_is_a_browser_and_comes_back_as_the_one_it_was"),
    row("62", "impostors and second connections", "neither seen nor heard", f"{BRIDGE}a_live_extension_is_not_replaced_by_a_second_one", "bridge/test_extension_handshake.py::strangers_cannot_take_up_every_place", f"{EXTENSION}paired_extension_serves_its_agent_while_strangers_attack"),
    row("63", "message of 20 MB", "arrives whole", f"{BRIDGE}a_message_of_20_mb_arrives_whole"),
    row("64", "replies to nothing, floods", "ignored and counted", "bridge/test_fuzz.py::10_000_malformed_messages_leave_the_bridge_serving"),
    row("65", "port taken", "done without, or a stated error", "daemon/bridge/test_local_bridge.py::a_taken_port_is_done_without_unless_it_was_asked_for"),
    # Transports
    row("66", "malformed messages", "answered, the connection lives", f"{STREAM}a_garbled_line_is_answered_and_the_next_one_served", "hostile/test_inputs.py::no_line_harms_a_stream"),
    row("67", "huge request", "refused", f"{ENDPOINT}a_bad_post_is_refused", f"{ENDPOINT}a_body_without_length_is_measured_too"),
    row("68", "dripping headers, 10,000 idle connections", "cut off, nobody waits", "daemon/http/test_http_server.py::headers_that_drip_in_are_cut_off", f"{WIRE}very_many_connections_keep_nobody_waiting", f"{WIRE}very_many_connections_over_http_keep_nobody_waiting"),
    row("69", "client vanishes during a call", "the call is stopped or kept as promised", f"{STREAM}the_end_of_input_stops_the_calls_and_closes_the_session", "mcp/dispatch/test_stateless.py::hanging_up_cancels_the_call"),
    row("70", "client that never reads", "given up", f"{ENDPOINT}a_client_that_does_not_read_is_given_up", "mcp/stream/test_mcp_websocket.py::what_nobody_reads_is_given_up"),
    row("71", "storm of cancellations", "nothing of others stops", f"{WIRE}cancellations_of_everything_stop_nothing_of_others", f"{STREAM}cancelling_what_is_not_running_changes_nothing", "mcp/dispatch/test_calls_in_flight.py::call_that_is_cancelled_before_it_began_is_settled_too"),
    row("72", "ids of any kind, twice in flight", "never crossed", f"{WIRE}ids_of_any_kind_come_back_as_they_were", f"{STREAM}an_id_in_use_is_refused_and_its_first_call_goes_on"),
    row("73", "200 sessions at once", "all answered", f"{WIRE}many_sessions_at_once_are_all_answered"),
    row("74", "sessions opened and left", "bounded and expired", "daemon/test_security.py::s44_a_flood_of_sessions_is_bounded_and_harms_nobody", "daemon/http/test_session_expiry.py::an_idle_session_is_closed_and_unknown_afterwards"),
    row("75", "revisions of every age at once", "each by its rules", f"{WIRE}requests_of_every_age_are_answered_side_by_side"),
    row("76", "output of others on stdout", "never on the channel", "mcp/stream/test_stdio.py::only_messages_reach_standard_output"),
    row("77", "flood of notifications", "nobody waits", f"{WIRE}flood_of_notifications_keeps_no_other_client_waiting"),
    # The machine
    row("78", "SIGTERM, in a call, twice", "ends with its browser", f"{HOST}signal_to_end_takes_the_browser_along_even_in_a_call"),
    row("79", "server killed", "no browser outlives it", f"{LAUNCHED}no_browser_outlives_a_server_that_is_killed"),
    row("80", "client killed behind a shell", "server and browser go", f"{HOST}client_that_is_killed_behind_a_shell_takes_server_and_browser_along"),
    row("81", "SIGHUP, SIGINT; SIGPIPE", "all ends; nothing does", f"{HOST}signal_of_a_terminal_ends_server_and_browser", f"{HOST}broken_pipe_somewhere_ends_nothing"),
    row("82", "port in use", "a stated error before anything starts", "daemon/http/test_http_server.py::a_port_in_use_is_an_error_before_anything_starts"),
    row("83", "clock jumps a day", "no wait and no session ends", f"{HOST}clock_that_jumps_a_day_ends_no_session_and_no_wait", f"{HOST}clock_of_the_machine_that_jumps_stops_neither_server_nor_browser", f"{HOST}waits_read_no_clock_that_can_be_set"),
    row("84", "disk full", "said so, nothing half is left", "tools/pipeline/test_file_access.py::tools_say_that_the_disk_is_full_and_still_answer"),
    row("85", "no home, folders that cannot be made, umask", "named; files are private", "cli/test_failures.py::folders_that_cannot_be_made_are_named", "test_folders.py::without_a_home_the_password_file_says_where_it_is", f"{HOST}files_are_private_whatever_the_umask"),
    row("86", "no descriptors left", "said so, serves again", "daemon/test_server.py::server_without_descriptors_says_so_and_serves_again_when_it_has_some"),
    row("87", "no process may be started", "said so, serves again", f"{HOST}server_that_may_start_no_process_says_so_and_goes_on_when_it_may", f"{LAUNCHED}start_that_fails_leaves_no_descriptor_open"),
    row("88", "memory limit", "refuses what is too large and lives", f"{HOST}server_with_little_memory_refuses_what_is_too_large_and_lives"),
    row("89", "eight busy loops on two cores", "slow, and no browser is called dead", f"{HOST}starved_machine_makes_calls_slow_and_no_browser_dead"),
    row("90", "event loop stands still", "logged with the place", "test_observability.py::loop_that_stands_still_is_logged_once_with_the_place"),
    row("91", "writing fails halfway", "nothing half is left", "tools/pipeline/test_file_access.py::what_fails_halfway_leaves_nothing"),
    row("92", "settings changed while running", "nothing changes", f"{HOST}settings_file_that_changes_meanwhile_changes_nothing"),
    row("93", "log deleted, rotated, full", "goes on", f"{HOST}log_that_is_deleted_or_has_no_room_stops_nobody", "cli/commands/test_logs_command.py::following_goes_through_a_rotation"),
    row("94", "Python's own checks", "nothing found", f"{HOST}python_s_own_checks_find_nothing"),
    # Many agents, many machines
    row("95", "two agents want one tab", "one of them has it", f"{PAGE}two_agents_that_want_one_tab_do_not_both_have_it", "tools/core/test_pages.py::page_of_another_session_is_refused_and_not_listed"),
    row("96", "owner goes and comes back with an old handle", "refused", "daemon/http/test_session_expiry.py::the_handle_of_a_stateless_client_ends_with_its_session"),
    row("97", "daemon killed", "its clients go on with the next one", f"{DAEMON}killed_daemon_is_replaced_by_the_next_client", "daemon/process/test_killed_daemon.py::action_in_flight_ends_with_outcome_unknown_and_is_not_repeated", "daemon/process/test_killed_daemon.py::call_that_only_reads_is_asked_again"),
    row("98", "what holds the sessions stands still: the daemon", "others are told at their own deadline, it goes on with its sessions", f"{DAEMON_FAULT}daemon_that_stood_still_goes_on_with_its_sessions", "cli/test_daemon_ending.py::frozen_daemon_is_said_to_be_so_and_can_be_stopped"),
    row("99", "what the sessions are found by is lost: the socket", "found again, and never two daemons", f"{DAEMON}daemon_whose_socket_was_deleted_is_found_again", f"{DAEMON}two_clients_that_start_at_once_share_one_daemon"),
    row("100", "remote browser dies on an idle socket", "the heartbeat finds it", "browsers/test_browser_kind.py::silent_browser_is_given_up_after_a_heartbeat"),
    row("101", "remote machine gone", "others are not delayed", f"{BROWSERS}hundred_unreachable_browsers_delay_nothing"),
    row("102", "remote endpoint restarts", "it is connected again", f"{BROWSERS}killed_browser_is_noticed_healed_and_disturbs_no_other"),
    row("103", "remote endpoint refuses", "a stated error", "cdp/test_discovery.py::answer_of_something_else_is_refused", "cdp/test_discovery.py::nobody_there_is_said_plainly"),
    row("104", "message too large for the endpoint", "refused here, the link lives", f"{CDP}oversized_command_is_refused_here_rather_than_killing_the_link"),
    row("105", "two versions side by side", "each serves the other", f"{DAEMON_FAULT}client_of_another_version_is_served"),
)  # fmt: skip
