// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Repeatable random numbers (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    public let seed: UInt64
    private var state: UInt64
    /// The source of the numbers until it is used up, in reverse order.
    private var bytes: [UInt8] = []

    /// Numbers derived from `bytes`. Each byte decides one choice, so that a fuzzer can change a single one. Once they
    /// are used up, `isExhausted` is true and the numbers are random.
    public init(bytes: some BidirectionalCollection<UInt8>) {
        self.init(seed: 0)
        self.bytes = bytes.reversed()
    }

    public var isExhausted: Bool { bytes.isEmpty }

    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// Reads the seed from `REGNUM_SEED` or creates one, and prints it, so that the run can be repeated.
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
        // A number in a range uses the high bits.
        return bytes.popLast().map { UInt64($0) << 56 | mixed >> 8 } ?? mixed
    }

    public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Returns true with a probability of `percent`.
    public mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    public mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
        choices[choices.index(choices.startIndex, offsetBy: below(choices.count))]
    }
}

/// Environment variables that extend or repeat a run of the tests.
public enum Settings {
    public static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    public static func isSet(_ name: String) -> Bool { ProcessInfo.processInfo.environment[name] != nil }

    /// Set by continuous integration, for complete runs.
    public static var isContinuousIntegration: Bool { isSet("REGNUM_CI") }
}
