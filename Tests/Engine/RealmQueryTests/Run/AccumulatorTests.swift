// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmQuery

@Suite struct AccumulatorTests {
    @Test(.behaviour("Q06")) func aggregatesIgnoreNaN() {
        let values: [StoredValue] = [.double(.nan), .double(2), .null, .double(4), .double(-.nan)]
        for type in [ColumnType.double, .mixed] {
            let isDecimal = type == .mixed
            let number = { (value: Int64) -> StoredValue in
                isDecimal ? .decimal(DecimalBits(value)) : .double(Double(value))
            }
            #expect(Aggregate.value(.sum, of: type, over: values) == number(6))
            #expect(Aggregate.value(.average, of: type, over: values) == number(3))
            #expect(Aggregate.value(.average, of: type, over: values.prefix(1)) == .null)
            #expect(Aggregate.value(.max, of: type, over: values) == .double(4))
        }
    }

    /// The average of integers is their exact sum, rounded once to a Double and divided.
    @Test func averagesBeyond64Bits() throws {
        var generator = SeededGenerator(for: "averages beyond 64 bits")
        let edges: [Int64] = [.min, .max, -1, 0, 1, .max / 2, .min / 2]
        for round in 0..<2000 {
            var accumulator = Accumulator(.average, .int)
            var sum = Int128(0)
            let count = 1 + generator.below(40)
            for _ in 0..<count {
                let value = generator.chance(20) ? generator.pick(edges) : Int64(bitPattern: generator.next())
                accumulator.add(.int(value))
                sum += Int128(value)
            }
            let expected = StoredValue.double(Double(sum) / Double(count))
            try withTrace("round \(round), the sum \(sum)") {
                try requireEqual(accumulator.result, expected, "the average")
            }
        }
    }
}
