// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Sorted, distinct, and first objects of a large table of all types compared with comparisons of values.
@Suite struct ObjectOrderTests {
    private let snapshot: Snapshot
    private let table: TableKey
    private let keys: [ObjectKey]
    private let names: [String]
    private let values: [String: [ObjectKey: StoredValue]]
    private let seed: UInt64
    private static let shared = Result { try ObjectOrderTests(seeded: ()) }

    init() throws { self = try ObjectOrderTests.shared.get() }

    private init(seeded: ()) throws {
        var random = SeededGenerator(for: "ObjectOrderTests")
        seed = random.seed
        let database = try Database.inMemory(in: NSTemporaryDirectory())
        let write = try database.beginWrite()
        let table = try write.schema.addTable("class_T")
        var (keys, names, values) = ([ObjectKey](), [String](), [String: [ObjectKey: StoredValue]]())
        for _ in 0..<1_600 { keys.append(try write.createObject(in: table)) }
        // A gap in the keys, and leaves in general form.
        for key in keys[300..<900] where random.chance(60) { try write.removeObject(key, from: table) }
        keys = try keys.filter { try write.require(table).clusters.find($0) != nil }
        for type in ValueMaker.types {
            for isNullable in [false, true] {
                for spread in ValueMaker.Spread.allCases {
                    let name = "\(type)\(isNullable ? "Optional" : "")\(spread)"
                    let column = try write.schema.addColumn(name, type, isNullable ? .nullable : [], to: table)
                    let maker = ValueMaker(type: type, spread: spread)
                    var stored: [ObjectKey: StoredValue] = [:]
                    for key in keys {
                        let value = isNullable && random.chance(20) ? StoredValue.null : maker.make(&random)
                        try write.set(value, column, of: key, in: table)
                        stored[key] = value
                    }
                    names.append(name)
                    values[name] = stored
                }
            }
        }
        try write.commit()
        snapshot = try database.snapshot(label: "test")
        (self.table, self.keys, self.names, self.values) = (table, keys, names, values)
    }

    /// The values of an object at each path.
    private func row(_ paths: [SortKey], _ key: ObjectKey) -> [StoredValue] {
        paths.map { values["\($0.path)"]![key]! }
    }

    private func compare(_ paths: [SortKey], _ a: [StoredValue], _ b: [StoredValue]) -> Int {
        for (number, path) in paths.enumerated() {
            let order = StoredValue.compare(a[number], b[number])
            if order != 0 { return path.ascending ? order : -order }
        }
        return 0
    }

    private func check(_ paths: [SortKey], _ given: [ObjectKey], _ random: inout SeededGenerator) throws {
        let place: Comment = "seed \(seed), \(paths), \(given.count) objects"
        let existing = given.filter { values[names[0]]![$0] != nil }
        let rows = existing.map { row(paths, $0) }
        let indexes = existing.indices.sorted { a, b in
            let order = compare(paths, rows[a], rows[b])
            return order == 0 ? a < b : order < 0
        }
        let sorted = indexes.map { existing[$0] }
        let order = try SortOrder(paths, on: table, in: snapshot)
        #expect(try order.sort(given, in: snapshot) == sorted, place)

        let firsts = indexes.indices.filter { place in
            place == 0 || compare(paths, rows[indexes[place - 1]], rows[indexes[place]]) != 0
        }
        let distinct = try Distinct(paths.map(\.path), on: table, in: snapshot)
        let expected = firsts.map { indexes[$0] }.sorted().map { existing[$0] }
        #expect(try distinct.distinct(of: given, in: snapshot) == expected, place)
        for partSize in [1, 8, 1 + random.below(100)] {
            #expect(try distinct.distinct(of: given, in: snapshot, partSize: partSize) == expected, place)
            guard given == keys else { continue }
            #expect(try distinct.distinct(in: snapshot, partSize: partSize) == expected, place)
        }

        let limit = 1 + random.below(30)
        #expect(try order.first(limit, of: given, in: snapshot) == Array(sorted.prefix(limit)), place)
        if given == keys {
            #expect(try order.first(limit, in: snapshot) == Array(sorted.prefix(limit)), place)
        }
    }

    @Test func singlePaths() throws {
        var random = SeededGenerator(seed: seed)
        for name in names {
            for ascending in [true, false] {
                try check([SortKey(PropertyPath(name), ascending: ascending)], keys, &random)
            }
        }
    }

    @Test func severalPathsOfSomeObjects() throws {
        var random = SeededGenerator(seed: seed &+ 1)
        for _ in 0..<50 {
            let paths = (0..<1 + random.below(4)).map { _ in
                SortKey(PropertyPath(random.pick(names)), ascending: random.chance(50))
            }
            var given = keys.filter { _ in random.chance(30) }
            switch random.below(4) {
            case 0: given = (0..<400).map { ObjectKey(Int64($0 * 5 % 1_700)) }
            case 1: given.shuffle(using: &random)
            case 2: given = Array((given + [ObjectKey(-5), ObjectKey(5_000)] + given).reversed())
            default: break
            }
            try check(paths, given, &random)
        }
    }

    @Test func aggregates() throws {
        var random = SeededGenerator(seed: seed &+ 3)
        for name in names {
            let type = try #require(try snapshot.require(table).column(named: name)?.type)
            for operation in AggregateOperation.allCases where operation.accepts(type) {
                let aggregate = try Aggregate(operation, of: name, on: table, in: snapshot)
                let some = keys.filter { _ in random.chance(30) }
                for given in [
                    keys, Array(keys[250..<700]), some, (some + [ObjectKey(5_000)] + some).shuffled(using: &random), [],
                ] {
                    let expected = Aggregate.value(
                        operation, of: type, over: given.compactMap { values[name]![$0] })
                    let found = try aggregate.value(over: given, in: snapshot)
                    #expect(
                        found.isIdentical(to: expected) || found.isNaN && expected.isNaN
                            || StoredValue.compare(found, expected) == 0,
                        "seed \(seed), \(operation) of \(name): \(found) and not \(expected)")
                }
            }
        }
    }

    @Test func noPathsAndNoObjects() throws {
        var random = SeededGenerator(seed: seed &+ 2)
        try check([SortKey(PropertyPath(names[0]))], [], &random)
        let all = try SortOrder([], on: table, in: snapshot).sort(keys, in: snapshot)
        #expect(all == keys)
        #expect(try Distinct([], on: table, in: snapshot).distinct(of: keys, in: snapshot) == [keys[0]])
    }
}

private struct ValueMaker {
    static let types: [ColumnType] = [
        .int, .bool, .float, .double, .timestamp, .objectId, .uuid, .string, .decimal, .binary,
    ]

    enum Spread: CaseIterable {
        case few
        case wide
    }

    let type: ColumnType
    let spread: Spread

    func make(_ random: inout SeededGenerator) -> StoredValue {
        let isWide = spread == .wide
        let number = isWide ? Int64(bitPattern: random.next()) >> Int64(random.below(64)) : Int64(random.below(40)) - 9
        switch type {
        case .int: return .int(isWide && random.chance(2) ? random.pick([.min, .max]) : number)
        case .bool: return .bool(number & 1 == 0)
        case .float:
            let bits: [UInt32] = [0x7F80_0001, 0x7FC0_0000, 0x7FFF_FFFF, 0xFF80_0001, 0xFFFF_FFFF, 1, 0x8000_0001]
            let edges = bits.map { Float(bitPattern: $0) } + [.infinity, -.infinity, 0, -0.0]
            return .float(random.chance(10) ? random.pick(edges) : Float(number) / 8)
        case .double:
            let bits: [UInt64] = [
                0x7FF0_0000_0000_0001, 0x7FF8_0000_0000_0000, 0x7FFF_FFFF_FFFF_FFFF, 0xFFF0_0000_0000_0001,
                0xFFFF_FFFF_FFFF_FFFF, 1, 0x8000_0000_0000_0001,
            ]
            let edges = bits.map { Double(bitPattern: $0) } + [.infinity, -.infinity, 0, -0.0]
            return .double(random.chance(10) ? random.pick(edges) : Double(number) / 8)
        case .timestamp:
            let seconds = number >> 2
            let fraction = Int32(random.pick([0, 1, 999_999_999]))
            return .timestamp(Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -fraction : fraction))
        case .objectId: return .objectId(ObjectIdBytes(high: UInt64(number & 7), low: UInt32(random.below(4))))
        case .uuid: return .uuid(UUIDBytes(high: UInt64(number & 7) << 60, low: UInt64(random.below(4)) << 62))
        case .decimal: return .decimal(DecimalBits(number))
        case .binary: return .binary(Array(text(number, &random).utf8))
        default: return .string(text(number, &random))
        }
    }

    /// Texts with long common prefixes, zero bytes, and prefixes of other texts. Wide ones don't fit the short forms of
    /// leaves.
    private func text(_ number: Int64, _ random: inout SeededGenerator) -> String {
        let beginning = random.pick([
            "", "", "person-", "person-\0", spread == .wide ? "a long beginning of a text " : "",
        ])
        let middle = String(
            repeating: random.pick(["x", "\0", "é", "7"]), count: random.below(spread == .wide ? 30 : 4))
        let end = random.chance(60) ? "\(number % 50)" : ""
        let long = spread == .wide && random.chance(3) ? String(repeating: "long", count: 20) : ""
        return beginning + middle + long + end
    }
}
