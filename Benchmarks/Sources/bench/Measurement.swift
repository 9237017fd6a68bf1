// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The cost of a workload, per operation.
struct Measurement: Codable, Sendable {
    let name: String
    let operations: Int
    let regnum: Cost
    let grdb: Cost?
    /// The maximum resident memory of our rounds, in bytes.
    let peakMemory: Int

    struct Cost: Codable, Sendable {
        /// Nanoseconds of each round, ascending.
        let rounds: [Double]
        let allocations: Double?
        let instructions: Double?

        var median: Double { rounds[rounds.count / 2] }
        var spread: String { "\(figure(rounds[0]))–\(figure(rounds[rounds.count - 1]))" }

        init(_ laps: [Lap]) {
            rounds = laps.map(\.nanosecondsPerOperation).sorted()
            let last = laps.last
            let operations = Double(last?.operations ?? 1)
            allocations = last?.counts.allocations.map { Double($0) / operations }
            instructions = last?.counts.instructions.map { Double($0) / operations }
        }
    }

    init(name: String, ours: [Lap], theirs: [Lap]?, peakMemory: Int) {
        self.name = name
        operations = ours.last?.operations ?? 1
        regnum = Cost(ours)
        grdb = theirs.map(Cost.init)
        self.peakMemory = peakMemory
    }

    var ratio: Double? { grdb.map { $0.median / regnum.median } }

    static let header = line([
        "workload", "Regnum", "min–max", "GRDB", "ratio", "realm-core", "goal", "", "allocs/op", "instr/op", "peak MB",
    ])

    var row: String {
        let peer = Peer.named(name)
        var cells = [name, figure(regnum.median), regnum.spread]
        cells.append(grdb.map { figure($0.median) } ?? "–")
        cells.append(ratio.map { figure($0) + "×" } ?? "")
        cells.append(peer.map { figure($0.realmCore) } ?? "–")
        cells.append(peer.map { figure($0.goal) } ?? "–")
        cells.append(peer.map { regnum.median <= $0.goal ? "met" : "not met" } ?? "")
        cells.append(regnum.allocations.map(figure) ?? "–")
        cells.append(regnum.instructions.map(figure) ?? "–")
        cells.append(figure(Double(peakMemory) / 1e6))
        return Self.line(cells)
    }

    private static let widths = [30, 13, 27, 13, 9, 12, 12, 9, 11, 11, 8]

    private static func line(_ cells: [String]) -> String {
        zip(cells, widths).map { $0 + String(repeating: " ", count: max(1, $1 - $0.count)) }.joined()
    }
}

/// A run at one size, as stored in a file.
struct Record: Codable, Sendable {
    let size: Int
    let rounds: Int
    let machine: String
    /// Bytes of the files filled with people, if they were created.
    let realmFile: Int?
    let sqliteFile: Int?
    let measurements: [Measurement]
}

/// Formats three digits, or all before the point: 0.0123, 1.23, 12.3, 123, 12,345.
func figure(_ value: Double) -> String {
    guard value.isFinite, abs(value) >= 0.00005 else { return "0" }
    if abs(value) >= 100 { return grouped(Int(value.rounded())) }
    let digits = abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : abs(value) >= 0.095 ? 3 : 4
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return "\((value * scale).rounded() / scale)"
}

func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
        if index > 0 && index % 3 == 0 { text = "," + text }
        text = String(digit) + text
    }
    return number < 0 ? "-" + text : text
}
