// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Scans for numbers among Mixed values compared with reading each value.
struct MixedScanTests {
    /// The largest integers give descriptors of 8, 16, 32, and 64 bits.
    private static let largest: [Int64] = [0, 100, 30_000, 1 << 40, .max]

    private func value(_ random: inout SeededGenerator, _ largest: Int64) -> StoredValue {
        switch Int.random(in: 0..<11, using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .string("text")
        case 3: .binary([1, 2, 3])
        case 4: .float(Float.random(in: -9...9, using: &random))
        case 5: .double(Double.random(in: -100...100, using: &random))
        case 6: .double([.nan, .infinity, -.infinity, 0, -0.0].randomElement(using: &random) ?? 0)
        case 7: .decimal(DecimalBits(Int64(7)))
        default: .int(Int64.random(in: -largest...largest, using: &random))
        }
    }

    private func matches(_ value: StoredValue, _ ints: ClosedRange<Int64>, _ doubles: ClosedRange<Double>) -> Bool {
        switch value {
        case .int(let number): ints.contains(number)
        case .double(let number): doubles.contains(number)
        case .float: true
        default: false
        }
    }

    @Test(arguments: largest)
    func numbers(largest: Int64) throws {
        let scratch = try ScratchStore()
        var random = SeededGenerator(seed: UInt64(largest))
        for count in [1, 7, 64, 200, 256] {
            var ref = try ColumnLeafEditor(scratch.store, .mixed).create(count: 0, default: .null)
            let values = (0..<count).map { _ in largest == 0 ? .int(0) : value(&random, largest) }
            try ColumnLeafEditor(scratch.store, .mixed).insert(&ref, at: 0, contentsOf: values[...])
            let leaf = try ColumnLeaf(scratch.space, ref, .mixed)
            for bound in [Int64.min, -largest / 2, -1, 0, 1, largest / 2, largest, .max] {
                let (ints, doubles) = (bound...Int64.max, Double(bound)...Double.infinity)
                var scan = MixedScan([.int, .float, .double, .decimal])
                (scan.ints, scan.doubles) = (ints, doubles)
                let start = count / 3
                let rows = RowSet(count: count - start).subtracting(RowSet(count: 2))
                let found = try leaf.filterMixed(from: start, rows, count: count - start, scan, bytes: nil) {
                    matches($0, ints, doubles)
                }
                let expected = rows.filter { matches(values[start + $0], ints, doubles) }
                #expect(found == expected, "\(count) values, from \(bound)")
            }
        }
    }
}
