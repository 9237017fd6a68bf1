// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The rows that are less than 1.5 times as fast as GRDB, at the head of RESULTS.md.
struct LaggingRows {
    let results: Results

    private static let bound = 1.5

    /// For each row the profile, and the limit that it shows.
    private static let limits = [
        "small_commits": """
        Two thirds of a commit is the machine's own write and flush (`machine_commit`), which SQLite waits for once as \
        well. A commit that waits for no flush isn't durable.
        """,
        "commit_1": "As `small_commits`.",
        "migrate": """
        The app's block is called for each object; SQLite runs one statement. Half of the time is one assignment by \
        name: a third of that in reference counts, the rest in the lookup of the name, the check of the type, and the \
        write. Names could be resolved once per class by a cache in `DynamicObject`, at the cost of its invalidation \
        whenever the block changes the schema.
        """,
        "freeze_read_in_thread": """
        Each object is created twice, as a live and as a frozen accessor; a record of GRDB is a struct. Two allocations \
        with their initialisation and deallocation are two thirds, and a third is reference counting. Shared frozen \
        accessors would need a weak table per version, with a lock on each read.
        """,
        "delete_linkers": """
        Two fifths of the time are the removals of the backlinks, one at a time from the middle of the owner's list of \
        backlinks, a quarter are reference counts. Sorting the removals by owner would remove them in one pass, \
        but a deletion that is observed or recorded needs them one at a time.
        """,
        "open_200_classes": """
        The descriptions of 200 tables are decoded and compared with 200 classes at each opening; SQLite compiles a \
        statement for one table. A cache of decoded tables by ref would save half, at the cost of keeping them for \
        files that are closed.
        """,
        "in_1000_string_index": """
        At sizes that fit into the processor's caches, 1,000 lookups are hashes and comparisons in both engines.
        """,
        "in_40000_string_noindex_ci": """
        Most of the time at small sizes is preparing 40,000 texts for comparisons without case, once per query.
        """,
        "fulltext_build":
            "At 10,000 texts, the fixed cost of the index's tree of words: SQLite's FTS5 merges segments later.",
        "fulltext_insert": "As `fulltext_build`.",
        "delete_half": "At 10,000 objects, the commit of the leaves of two indexes.",
        "delete_one_by_one": "As `delete_half`.",
        "compact": "At 10,000 objects, the two flushes of the new file.",
        "sections_by_age": "Sections are kept sorted for later changes; SQLite groups once.",
    ]

    var text: String {
        let rows = results.names.compactMap(row)
        let figures = results.sizes.map(ResultsText.short).joined(separator: " | ")
        let table =
            [
                "| workload | \(figures) | profile and limit |",
                "|---|" + results.sizes.map { _ in "--:|" }.joined() + "---|",
            ] + rows
        return """
            ## Rows below 1.5 times the speed of GRDB

            The ratio at each number of objects. No cache was added for them; the last column says what one would cost.

            \(rows.isEmpty ? "None." : table.joined(separator: "\n"))
            """
    }

    private func row(_ name: String) -> String? {
        let ratios = results.sizes.map { results.measurement(name, $0)?.ratio }
        guard ratios.contains(where: { $0.map { $0 < Self.bound } ?? false }) else { return nil }
        let cells = ratios.map { $0.map { figure($0) + "×" } ?? "" } + [Self.limits[name] ?? "not profiled"]
        return "| `\(name)` | " + cells.joined(separator: " | ") + " |"
    }
}
