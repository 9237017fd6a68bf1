// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Random numbers that repeat with the same seed (SplitMix64), so that a failing test can be repeated.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    public let seed: UInt64
    private var state: UInt64
    /// The source of the numbers until it is used up; last first.
    private var bytes: [UInt8] = []

    /// Numbers derived from `bytes`, each byte deciding one choice, so that a fuzzer can change a single one.
    /// `isExhausted` is true once they are used up; from then on the numbers are random.
    public init(bytes: some BidirectionalCollection<UInt8>) {
        self.init(seed: 0)
        self.bytes = bytes.reversed()
    }

    public var isExhausted: Bool { bytes.isEmpty }

    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// Takes the seed from `REGNUM_SEED`, or a new one, and prints it, so that the run can be repeated.
    public init(for test: String) {
        self.init(seed: Settings.number("REGNUM_SEED").map(UInt64.init) ?? UInt64.random(in: 0..<1 << 32))
        print("\(test): REGNUM_SEED=\(seed)")
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        mixed = mixed ^ mixed >> 31
        // A number in a range is made of the high bits.
        return bytes.popLast().map { UInt64($0) << 56 | mixed >> 8 } ?? mixed
    }

    /// A number below `bound`.
    public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// True in `percent` of a hundred cases.
    public mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// One of `choices`, which are not empty.
    public mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
        choices[choices.index(choices.startIndex, offsetBy: below(choices.count))]
    }
}

/// Environment variables by which a run of the tests is made longer or is repeated.
public enum Settings {
    /// The variable as a number, or nil if it isn't set.
    public static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    public static func isSet(_ name: String) -> Bool { ProcessInfo.processInfo.environment[name] != nil }

    /// The continuous integration sets this: tests take the long way.
    public static var isContinuousIntegration: Bool { isSet("REGNUM_CI") }
}
