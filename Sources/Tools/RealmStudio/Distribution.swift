// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTools

/// The distribution of a property's values: nulls, the most frequent values, and a histogram of numbers and dates, or
/// of the lengths of texts, data and collections.
struct Distribution {
    private var count = 0
    private var nullCount = 0
    private var frequencies: [String: Int] = [:]
    private var isCut = false
    private var sizes: [Double] = []
    private let measure: String

    private static let maxValues = 200_000
    private static let (binCount, topCount) = (32, 20)

    init(_ column: Column, of table: Table) throws {
        measure = Distribution.measure(column)
        if column.key.isCollection {
            try addCollections(column, table)
        } else {
            try table.clusters.forEachLeaf(reading: column) { leaf in
                let values = try leaf.column(column.leafIndex, column.leafKind)
                for row in 0..<leaf.count { add(try values.value(at: row)) }
                return true
            }
        }
    }

    private static func measure(_ column: Column) -> String {
        if column.key.isCollection { return "elements" }
        switch column.type {
        case .int, .float, .double, .decimal, .mixed: return "value"
        case .timestamp: return "date"
        case .string: return "characters"
        case .binary: return "bytes"
        default: return ""
        }
    }

    private mutating func addCollections(_ column: Column, _ table: Table) throws {
        try table.clusters.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                let size = try table.collection(column, at: ClusterTree.Position(leaf: leaf, row: row))?.count ?? 0
                count += 1
                sizes.append(Double(size))
                note("\(size)")
            }
            return true
        }
    }

    private mutating func add(_ value: StoredValue) {
        count += 1
        switch value {
        case .null:
            nullCount += 1
            return
        case .link(let key):
            if key.rawValue < 0 { nullCount += 1 } else { note("#\(key.rawValue)") }
            return
        case .typedLink(let link): return note("#\(link.object.rawValue)")
        case .list: return note("[…]")
        case .dictionary: return note("{…}")
        case .int(let number): sizes.append(Double(number))
        case .float(let number): if number.isFinite { sizes.append(Double(number)) }
        case .double(let number): if number.isFinite { sizes.append(number) }
        case .decimal(let number): if let double = Double(number.description), double.isFinite { sizes.append(double) }
        case .timestamp(let date): sizes.append(Double(date.seconds))
        case .string(let text): sizes.append(Double(text.count))
        case .binary(let bytes): sizes.append(Double(bytes.count))
        case .bool, .objectId, .uuid: break
        }
        if case .binary(let bytes) = value { return note("\(bytes.count) bytes") }
        if isCut { return }
        note(ValueText.plain(value))
    }

    private mutating func note(_ text: String) {
        guard !isCut else { return }
        frequencies[text.count > 80 ? text.prefix(80) + "…" : text, default: 0] += 1
        isCut = frequencies.count > Distribution.maxValues
    }

    func write(_ json: inout JSONText) {
        json.member("count", count)
        json.member("nulls", nullCount)
        json.member("measure", measure)
        // If nearly all values are different, the first ones aren't representative.
        if !isCut { json.member("different", frequencies.count) }
        let order = { (a: (key: String, value: Int), b: (key: String, value: Int)) in
            a.value != b.value ? a.value > b.value : a.key < b.key
        }
        json.member("top", isCut ? [] : frequencies.sorted(by: order).prefix(Distribution.topCount)) { json, entry in
            json.raw("[")
            json.string(entry.key)
            json.raw(",\(entry.value)]")
        }
        writeHistogram(&json)
    }

    private func writeHistogram(_ json: inout JSONText) {
        guard let least = sizes.min(), let greatest = sizes.max() else { return }
        let width = (greatest - least) / Double(Distribution.binCount)
        var bins = [Int](repeating: 0, count: width > 0 ? Distribution.binCount : 1)
        for size in sizes { bins[width > 0 ? min(bins.count - 1, Int((size - least) / width)) : 0] += 1 }
        json.member("least")
        json.raw("\(least)")
        json.member("greatest")
        json.raw("\(greatest)")
        json.member("bins", bins) { $0.integer($1) }
    }
}
