// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The entry of a participant's file for one version that it pins.
///
/// ```
/// 0         8         16        24            32      40        44      45            46    128
/// | check   | version | top ref | logical size | since | holders | state | label length | label |
/// ```
///
/// Little-endian. `check` is a hash of the other bytes, because a slot may be read while it's written. `state` is 2 if
/// the pin is confirmed, otherwise 1. A slot of zeros is empty.
struct PinSlot: Equatable, Sendable {
    static let byteCount = 128
    private static let labelOffset = 46

    var record: VersionRecord
    /// Nanoseconds since 1970.
    var since: Int64
    var holders: Int
    var label: String
    /// Whether its owner has found the version to be the newest one after writing the pin, so that no commit can have
    /// missed the pin. An unconfirmed pin may be that of a version whose space was reused before.
    var isConfirmed: Bool

    init(_ record: VersionRecord, since: Int64, holders: Int, label: String, isConfirmed: Bool) {
        self.record = record
        self.since = since
        self.holders = holders
        self.label = PinSlot.shortened(label)
        self.isConfirmed = isConfirmed
    }

    private static func shortened(_ label: String) -> String {
        var label = label
        while label.utf8.count > byteCount - labelOffset { label.removeLast() }
        return label
    }

    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 8)
        let numbers = [
            record.version, UInt64(record.topRef), UInt64(record.logicalSize), UInt64(bitPattern: since),
        ]
        for number in numbers { bytes += FileHeader.bytes(of: number) }
        bytes += FileHeader.bytes(of: UInt64(UInt32(clamping: holders))).prefix(4)
        bytes += [isConfirmed ? 2 : 1, UInt8(label.utf8.count)]
        bytes += label.utf8
        bytes += [UInt8](repeating: 0, count: PinSlot.byteCount - bytes.count)
        bytes.replaceSubrange(0..<8, with: FileHeader.bytes(of: PinSlot.hash(bytes[8...])))
        return bytes
    }

    static let empty = [UInt8](repeating: 0, count: byteCount)

    enum Reading: Equatable {
        case empty
        case pin(PinSlot)
        /// The slot was being written.
        case torn
    }

    static func read(_ bytes: ArraySlice<UInt8>) -> Reading {
        if bytes.allSatisfy({ $0 == 0 }) { return .empty }
        let bytes = Array(bytes)
        let numbers = (0..<5).map { FileHeader.number(bytes, 8 * $0) }
        let label = bytes[labelOffset...].prefix(Int(bytes[45]))
        guard numbers[0] == hash(bytes[8...]), 1...2 ~= bytes[44], numbers[2] <= UInt64(Int.max),
            numbers[3] < 1 << 62
        else { return .torn }
        let record = VersionRecord(
            version: numbers[1], topRef: Ref(numbers[2]), logicalSize: Int(numbers[3]))
        let holders = bytes[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
        return .pin(
            PinSlot(
                record, since: Int64(bitPattern: numbers[4]), holders: holders,
                label: String(decoding: label, as: UTF8.self), isConfirmed: bytes[44] == 2))
    }

    /// FNV-1a. Never 0, so a pin can't equal an empty slot.
    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        max(1, bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    }
}
