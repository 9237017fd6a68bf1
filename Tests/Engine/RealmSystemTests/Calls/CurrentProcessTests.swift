// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmSystem

/// Clocks set to years beyond 64 bits of nanoseconds, and such times in files.
@Suite struct CurrentProcessTests {
    @Test(
        arguments: [
            (0, 1, 1), (9_223_372_036, 854_775_807, .max), (9_223_372_036, 854_775_808, .max), (1 << 40, 0, .max),
            (.max, 0, .max), (-9_223_372_037, 0, .min), (.min, 999_999_999, .min), (-2, 500_000_000, -1_500_000_000),
        ] as [(Int64, Int64, Int64)])
    func aTimeTooFarAwayIsTheLastRepresentableOne(_ seconds: Int64, _ rest: Int64, _ expected: Int64) {
        #expect(CurrentProcess.nanoseconds(seconds: seconds, rest) == expected)
    }

    @Test func durationsBetweenAnyTimesDoNotOverflow() {
        #expect(CurrentProcess.nanoseconds(from: 5, to: 7) == 2)
        #expect(CurrentProcess.nanoseconds(from: 7, to: 5) == 0)
        #expect(CurrentProcess.nanoseconds(from: .min, to: .max) == .max)
        #expect(CurrentProcess.nanoseconds(from: .max, to: .min) == 0)
        #expect(CurrentProcess.nanoseconds(since: .max) == 0)
        #expect(WriteHolder(processIdentifier: 1, name: "x", since: .min).description.contains("held the write lock"))
    }
}
