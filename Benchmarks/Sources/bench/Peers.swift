// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The cost of a workload in realm-core 14.14, called from C++ with 1,000,000 objects, and the required speed-up. It
/// was measured in another run on the same kind of machine, so its figures show the scale. Ratios compare with GRDB in
/// the same run.
struct Peer: Sendable {
    /// Nanoseconds per operation.
    let realmCore: Double
    let factor: Double

    var goal: Double { realmCore / factor }

    private init(_ realmCore: Double, _ factor: Double) {
        self.realmCore = realmCore
        self.factor = factor
    }

    static func named(_ name: String) -> Peer? { all[name] }

    static let size = 1_000_000

    private static let all: [String: Peer] = [
        "insert": Peer(2_417, 2),
        "pk_lookup_5props": Peer(1_125, 3),
        "scan_count_age": Peer(2.6, 10),
        "sum_age": Peer(3.5, 10),
        "contains": Peer(7.1, 2),
        "contains_ci": Peer(6.7, 2),
        "sort_score": Peer(305, 2),
        "sort_two_keys": Peer(1_236, 2),
        "sort_string": Peer(602, 2),
        "distinct_age": Peer(303, 2),
        "distinct_name": Peer(626, 2),
        "filter_age_iterate": Peer(25.1, 2),
        "iterate_sum_age": Peer(15.1, 2),
        "iterate_all_props": Peer(76.0, 2),
        "prop_read_int_same_obj": Peer(7.2, 2),
        "prop_read_str_same_obj": Peer(10.3, 1),
        "index_eq": Peer(919, 2),
        "update_all_age": Peer(78.0, 2),
        "small_commits": Peer(564_682, 1),
        "delete_half": Peer(2_520, 3),
        "delete_all_query": Peer(2_200, 2),
        "delete_all": Peer(29.1, 2),
        "delete_one_by_one": Peer(6_965, 3),
        "open_first_read": Peer(152_969, 2),
        "commit_1": Peer(633_024, 1),
        "commit_100": Peer(2_981_081, 1.2),
        "commit_10000": Peer(27_513_632, 1.5),
        "compact": Peer(49.9, 2),
        "string_eq_noindex": Peer(4.7, 5),
        "string_eq_ci_noindex": Peer(4.2, 2),
        "in_1000_int_noindex": Peer(15.1, 10),
        "in_1000_string_noindex": Peer(29.6, 3),
        "in_1000_string_index": Peer(29_131, 4),
        "in_1000_pk": Peer(4_421, 2),
        "mixed_read": Peer(48.9, 2),
        "mixed_query": Peer(14.3, 5),
        "list_int_append": Peer(110, 2),
        "list_int_iterate": Peer(10.0, 2),
        "list_int_random_get": Peer(23.4, 2),
        "list_int_insert_random": Peer(1_482, 2),
        "list_int_remove_last": Peer(83.0, 2),
        "list_int_remove_random": Peer(1_522, 2),
        "list_link_append": Peer(238, 2),
        "list_link_iterate": Peer(74.1, 2),
        "list_link_remove_last": Peer(210, 2),
        "list_link_query": Peer(91.1, 5),
        "backlink_traversal": Peer(165, 2),
        "link_traversal": Peer(116, 2),
        "link_query_to_one": Peer(116, 5),
        "link_query_to_many": Peer(235, 5),
        "backlink_query_count": Peer(32.2, 5),
        "set_int_insert": Peer(1_445, 4),
        "set_string_insert": Peer(903, 2),
        "dict_insert": Peer(2_783, 3),
        "dict_lookup": Peer(1_336, 4),
        "dict_iterate": Peer(28.5, 2),
        "fulltext_build": Peer(2_826, 2),
        "fulltext_insert": Peer(5_683, 2),
        "fulltext_query": Peer(5_700, 2),
        "fulltext_prefix": Peer(181_504, 5),
        "notify_results": Peer(42_373_764, 8),
        "notify_sorted": Peer(224_366_155, 8),
        "notify_table": Peer(72_561_383, 8),
        "notify_list": Peer(104_544_845, 8),
        "enc_insert": Peer(2_578, 2),
        "enc_scan_count_age": Peer(3.2, 10),
        "enc_iterate_all_props": Peer(134, 2),
        "enc_small_commits": Peer(659_287, 2),
    ]
}
