// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The rows that are less than 1.5 times as fast as GRDB, at the head of RESULTS.md.
struct LaggingRows {
    let results: Results

    private static let bound = 1.5

    /// For each row the profile, and the limit that it shows.
    private static let limits = [
        "small_commits": """
        A write with one flush (`machine_commit`) takes half to two thirds of the time, and SQLite waits for one as \
        well. The rest is spread over the kernel and the commit: no function of ours has more than 2 % of the samples. \
        A commit that doesn't wait isn't durable.
        """,
        "commit_1": "As `small_commits`.",
        "migrate": """
        The app's block is called for each object, while SQLite runs one statement. Its assignment by name takes 40 % \
        of the time, half of that the write, and its two reads by name 20 %; 31 % of all are reference counts. \
        Resolving a name once per class needs a cache that each change of the schema invalidates.
        """,
        "link_traversal": """
        The linked rows don't fit into the processor's caches at 1,000,000 objects, and each link creates an accessor \
        whose retain counts: a hand-made one was 1.11 times as fast, and depended on Swift's private runtime.
        """,
        "freeze_read_in_thread": """
        Each object is created twice, as a live and as a frozen accessor: two allocations, and two fifths of the time \
        in reference counts. GRDB copies the values into a struct. Sharing frozen accessors needs a table of weak \
        references for each version, with a lock.
        """,
        "delete_linkers": """
        Four fifths of the time end the links of each object: its own link, its entry among the backlinks of \
        the target, and the search for links to it. SQLite doesn't store backlinks.
        """,
        "open_200_classes": """
        70 % is the comparison of 200 classes with their tables, half of which is the decoding of the tables. SQLite \
        parses the schema of all tables too, but nothing is compared. A cache of decoded tables has to outlive the file.
        """,
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

            Rows with a lower ratio at \(grouped(results.mainSize)) objects, with the ratio at each number of objects. No \
            cache was added for them; the last column names its cost.

            \(rows.isEmpty ? "None." : table.joined(separator: "\n"))
            """
    }

    private func row(_ name: String) -> String? {
        guard let ratio = results.measurement(name, results.mainSize)?.ratio, ratio < Self.bound else { return nil }
        let cells = results.sizes.map { results.measurement(name, $0)?.ratio.map { figure($0) + "×" } ?? "" }
        return "| `\(name)` | " + (cells + [Self.limits[name] ?? "not profiled"]).joined(separator: " | ") + " |"
    }
}
