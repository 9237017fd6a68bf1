// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

struct Results {
    let records: [Record]
    let sizes: [Int]
    /// The names of the workloads, in the order of their execution.
    let names: [String]
    private var byName: [String: [Int: Measurement]] = [:]

    init(_ records: [Record]) {
        self.records = records
        sizes = Set(records.map(\.size)).sorted()
        for record in records {
            for measurement in record.measurements { byName[measurement.name, default: [:]][record.size] = measurement }
        }
        let order = Workload.all.map(\.name)
        let measured = Set(byName.keys)
        names = order.filter(measured.contains) + measured.subtracting(order).sorted()
    }

    /// The size of the main table: that of realm-core's figures, or otherwise the largest.
    var mainSize: Int { sizes.contains(Peer.size) ? Peer.size : sizes.last ?? 0 }

    func measurement(_ name: String, _ size: Int) -> Measurement? { byName[name]?[size] }

    /// The cost of an operation at each size, in nanoseconds.
    func series(_ name: String, _ cost: (Measurement) -> Double?) -> [(size: Int, nanoseconds: Double)] {
        sizes.compactMap { size in
            measurement(name, size).flatMap(cost).map { (size, $0) }
        }
    }

    var groups: [(title: String, names: [String])] {
        Group.all.compactMap { group in
            let members = names.filter { Group.of($0).title == group.title }
            return members.isEmpty ? nil : (group.title, members)
        }
    }

    /// A step from one size to the next, scaled to ten times as many objects.
    struct Step {
        let from: Int
        let to: Int
        let factor: Double
    }

    private func steps(_ name: String) -> [Step] {
        let points = series(name) { $0.regnum.median }
        return zip(points, points.dropFirst()).map { before, after in
            let decades = log10(Double(after.size) / Double(before.size))
            let factor = pow(10, log10(after.nanoseconds / before.nanoseconds) / decades)
            return Step(from: before.size, to: after.size, factor: factor)
        }
    }

    /// The step with the largest growth of an operation's cost. The fixed cost of a round has less weight at each step,
    /// and would hide the growth between the smallest and the largest size.
    func growth(_ name: String) -> Step? { steps(name).max { $0.factor < $1.factor } }

    func expectedGrowth(_ name: String) -> Growth {
        Workload.all.first { $0.name == name }?.growth ?? .constant
    }

    /// The permitted growth of an operation's cost for ten times as many objects, at the step with the largest growth.
    func growthLimit(_ name: String) -> Double {
        let expected = expectedGrowth(name)
        guard let machine = expected.machine, let step = growth(name) else { return expected.perDecade }
        return max(expected.perDecade, steps(machine).first { $0.from == step.from }?.factor ?? 0)
    }
}

/// A group of workloads, derived from their names.
struct Group {
    let title: String
    private let prefixes: [String]

    static let all = [
        Group(title: "Objects", prefixes: ["insert", "pk_", "prop_", "iterate_", "create_", "embedded_", "map_"]),
        Group(title: "Scans and aggregates", prefixes: ["scan_", "sum_", "filter_", "aggregate_", "group_"]),
        Group(title: "Texts", prefixes: ["contains", "string_", "fulltext_"]),
        Group(title: "Sets of keys, indexes", prefixes: ["index_", "in_"]),
        Group(title: "Order", prefixes: ["sort_", "distinct_", "first_"]),
        Group(title: "Changes", prefixes: ["update_", "delete_"]),
        Group(title: "Commits", prefixes: ["small_commits", "commit_", "readers_"]),
        Group(title: "Files", prefixes: ["open_", "compact", "migrate"]),
        Group(title: "Mixed", prefixes: ["mixed_"]),
        Group(title: "Lists", prefixes: ["list_"]),
        Group(title: "Sets and dictionaries", prefixes: ["set_", "dict_"]),
        Group(title: "Links", prefixes: ["link_", "backlink_"]),
        Group(title: "Notifications", prefixes: ["notify_"]),
        Group(title: "Encrypted", prefixes: ["enc_"]),
        Group(title: "The machine alone", prefixes: ["machine_"]),
        Group(title: "Others", prefixes: [""]),
    ]

    static func of(_ name: String) -> Group {
        all.first { $0.prefixes.contains { name.hasPrefix($0) } } ?? all[all.count - 1]
    }
}
