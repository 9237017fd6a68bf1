// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

struct Panel {
    typealias Point = (size: Int, nanoseconds: Double)

    let name: String
    let sizes: [Int]
    let ours: [Point]
    let theirs: [Point]
    let peer: Peer?

    static let width = 216.0
    static let height = 158.0
    private static let plot = (left: 50.0, top: 24.0, width: 150.0, height: 100.0)

    var svg: String {
        ([text(name, x: 12, y: 14, "name")] + grid + marks).joined(separator: "\n")
    }

    /// Powers of ten around all values, at least two apart.
    private var decades: ClosedRange<Int> {
        let values = (ours + theirs).map(\.nanoseconds) + (peer.map { [$0.realmCore, $0.goal] } ?? [])
        let positive = values.filter { $0 > 0 }.map { log10($0) }
        let low = Int((positive.min() ?? 0).rounded(.down))
        let high = Int((positive.max() ?? 1).rounded(.up))
        return high - low >= 2 ? low...high : low...low + 2
    }

    private var grid: [String] {
        let step = decades.count > 5 ? 2 : 1
        let rows = stride(from: decades.lowerBound, through: decades.upperBound, by: step).flatMap { decade in
            let y = place(pow(10, Double(decade)))
            return [
                "<path class=\"grid\" d=\"M\(Self.plot.left) \(y)h\(Self.plot.width)\"/>",
                text(Self.time(decade), x: Self.plot.left - 5, y: y + 4, "tick", anchor: "end"),
            ]
        }
        let columns = sizes.map { size in
            text(
                ResultsText.short(size), x: across(size), y: Self.plot.top + Self.plot.height + 15, "tick",
                anchor: "middle")
        }
        return rows + columns
    }

    private var marks: [String] {
        var marks = line(theirs, "theirs") + line(ours, "ours")
        if let peer {
            let x = across(Peer.size)
            marks.append("<circle class=\"core\" cx=\"\(x)\" cy=\"\(place(peer.realmCore))\" r=\"4\"/>")
            marks.append("<path class=\"goal\" d=\"M\(Self.round(x - 7)) \(place(peer.goal))h14\"/>")
        }
        return marks
    }

    private func line(_ points: [Point], _ style: String) -> [String] {
        let places = points.map { (x: across($0.size), y: place($0.nanoseconds)) }
        guard !places.isEmpty else { return [] }
        let path = places.map { "\($0.x) \($0.y)" }.joined(separator: "L")
        return (places.count > 1 ? ["<path class=\"\(style)\" d=\"M\(path)\"/>"] : [])
            + places.map { "<circle class=\"\(style)-point\" cx=\"\($0.x)\" cy=\"\($0.y)\" r=\"2.5\"/>" }
    }

    private func across(_ size: Int) -> Double {
        guard let first = sizes.first, let last = sizes.last, last > first else {
            return Self.plot.left + Self.plot.width / 2
        }
        let share = log10(Double(size) / Double(first)) / log10(Double(last) / Double(first))
        return Self.round(Self.plot.left + 8 + share * (Self.plot.width - 16))
    }

    private func place(_ nanoseconds: Double) -> Double {
        let low = Double(decades.lowerBound)
        let share = (log10(max(nanoseconds, 1e-9)) - low) / Double(decades.count - 1)
        return Self.round(Self.plot.top + (1 - share) * Self.plot.height)
    }

    private static func round(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    private static func time(_ decade: Int) -> String {
        let units = ["ns", "µs", "ms", "s"]
        guard decade >= 0 else { return decade == -1 ? "0.1 ns" : decade == -2 ? "0.01 ns" : "1e\(decade) ns" }
        let unit = min(decade / 3, 3)
        return "\(Int(pow(10, Double(decade - unit * 3)))) \(units[unit])"
    }
}
