// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct ResultsText {
    let results: Results
    /// Texts of other measurements, in Markdown.
    let additions: [String]

    var text: String {
        ([introduction, LaggingRows(results: results).text, mainTable, growthTable, tooMuchGrowth, files] + additions)
            .joined(separator: "\n\n")
            .trimmingSuffix(while: \.isNewline) + "\n"
    }

    private var introduction: String {
        let machines = Set(results.records.map(\.machine)).sorted().joined(separator: "; ")
        return """
            # Results

            Written by `bench report` (see CONTRIBUTING.md). Machine: \(machines).

            Release builds, data in the page cache, commits durable in both engines. A figure is the median of several
            rounds, in nanoseconds per operation; each workload's comment describes the operation. GRDB did the same
            work in the same run. realm-core's figures, and the goals made of them, come from another run on the same
            kind of machine, with \(grouped(Peer.size)) objects and called from C++ without an SDK: they show the scale.
            """
    }

    private var mainTable: String {
        let size = results.mainSize
        var lines = [
            "## \(grouped(size)) objects",
            "",
            "| workload | Regnum | min–max | GRDB | ratio | realm-core | goal | | allocations | instructions |",
            "|---|--:|--:|--:|--:|--:|--:|---|--:|--:|",
        ]
        for group in results.groups {
            lines.append("| **\(group.title)** | | | | | | | | | |")
            lines += group.names.compactMap { results.measurement($0, size) }.map(Self.row)
        }
        guard size == Peer.size else {
            return (lines + ["", "The goals are for \(grouped(Peer.size)) objects."]).joined(separator: "\n")
        }
        let measured = results.names.compactMap { results.measurement($0, size) }
        let judged = measured.filter { Peer.named($0.name) != nil }
        let met = judged.count { $0.regnum.median <= Peer.named($0.name)?.goal ?? 0 }
        lines += ["", "Goals met: \(met) of \(judged.count)."]
        return lines.joined(separator: "\n")
    }

    private static func row(_ measurement: Measurement) -> String {
        let peer = Peer.named(measurement.name)
        let (ours, theirs) = (measurement.regnum, measurement.grdb)
        var cells = ["`\(measurement.name)`", figure(ours.median), ours.spread]
        cells.append(theirs.map { figure($0.median) } ?? "")
        cells.append(measurement.ratio.map { figure($0) + "×" } ?? "")
        cells.append(peer.map { figure($0.realmCore) } ?? "")
        cells.append(peer.map { figure($0.goal) } ?? "")
        cells.append(peer.map { ours.median <= $0.goal ? "met" : "not met" } ?? "")
        cells.append(ours.allocations.map(figure) ?? "")
        cells.append(ours.instructions.map(figure) ?? "")
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private var growthTable: String {
        let sizes = results.sizes
        var lines = [
            "## How cost grows",
            "",
            "Nanoseconds per operation by the number of objects. The last columns are the factor for ten times as many",
            "objects, at the step where it grows most, and the permitted factor.",
            "",
            "![A chart of the table below, with GRDB and realm-core beside](results.svg)",
            "",
            "| workload | " + sizes.map(Self.short).joined(separator: " | ") + " | growth | at most |",
            "|---|" + String(repeating: "--:|", count: sizes.count + 2),
        ]
        for name in results.names {
            var cells = ["`\(name)`"]
            cells += sizes.map { results.measurement(name, $0).map { figure($0.regnum.median) } ?? "" }
            cells.append(results.growth(name).map { figure($0.factor) + "×" } ?? "")
            cells.append(figure(results.growthLimit(name)) + "×")
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }

    private var tooMuchGrowth: String {
        let lines = results.names.compactMap { name -> String? in
            let limit = results.growthLimit(name)
            guard let growth = results.growth(name), growth.factor > limit else { return nil }
            let step = "from \(Self.short(growth.from)) to \(Self.short(growth.to)) objects"
            return "- `\(name)`: \(figure(growth.factor))×, not \(figure(limit))×, \(step)"
        }
        let list = lines.isEmpty ? "None." : lines.joined(separator: "\n")
        let expected = results.names.compactMap { name in
            results.expectedGrowth(name).reason.map { (name: name, reason: $0) }
        }
        let reasons = Dictionary(grouping: expected, by: \.reason)
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .map { reason, rows in "- \(reason): " + rows.map { "`\($0.name)`" }.joined(separator: ", ") }
        return """
            ### Rows that grow faster than they should

            \(list)

            More than \(figure(Growth.constant.perDecade))× is expected, and why:

            \(reasons.joined(separator: "\n"))
            """
    }

    private var files: String {
        var lines = [
            "## Memory and files", "",
            "| objects | most resident memory, MB | file of people, MB | the same in SQLite, MB |", "|--:|--:|--:|--:|",
        ]
        for size in results.sizes {
            let records = results.records.filter { $0.size == size }
            let peak = records.flatMap(\.measurements).map(\.peakMemory).max() ?? 0
            let cells = [
                grouped(size), figure(Double(peak) / 1e6), Self.megabytes(records.compactMap(\.realmFile).last),
                Self.megabytes(records.compactMap(\.sqliteFile).last),
            ]
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        lines += [
            "",
            "Resident memory counts mapped parts of files, and the generated people that both engines are filled with. A",
            "file of \(grouped(Peer.size)) people has 51.7 MB as realm-core writes it, and shall have 45 MB at most.",
        ]
        return lines.joined(separator: "\n")
    }

    private static func megabytes(_ bytes: Int?) -> String { bytes.map { figure(Double($0) / 1e6) } ?? "" }

    /// Returns a short form of a number, such as 10k or 1M.
    static func short(_ size: Int) -> String {
        if size >= 1_000_000 && size % 1_000_000 == 0 { return "\(size / 1_000_000)M" }
        return size >= 1000 && size % 1000 == 0 ? "\(size / 1000)k" : "\(size)"
    }
}

extension String {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
        var text = self
        while let last = text.last, predicate(last) { text.removeLast() }
        return text
    }
}
