// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A text operator for data, whose bytes needn't be valid UTF-8.
struct DataPattern: Sendable {
    let operation: ComparisonOperator
    let pattern: [UInt8]

    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let surplus = bytes.count - pattern.count
        switch operation {
        case .beginsWith: return unsafe surplus >= 0 && occurs(in: bytes, at: 0)
        case .endsWith: return unsafe surplus >= 0 && occurs(in: bytes, at: surplus)
        case .contains: return surplus >= 0 && (0...surplus).contains { unsafe occurs(in: bytes, at: $0) }
        case .like: return unsafe isLike(bytes)
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between, .matches, .geoWithin,
            .text:
            return false
        }
    }

    private func occurs(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        for index in pattern.indices where unsafe bytes[offset + index] != pattern[index] { return false }
        return true
    }

    /// Uses the algorithm of `TextPattern`: the run of the last star grows until the rest fits.
    private func isLike(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (position, index) = (0, 0)
        var retry: (position: Int, index: Int)?
        while position < bytes.count {
            let symbol = index < pattern.count ? pattern[index] : nil
            if symbol == UInt8(ascii: "*") {
                index += 1
                retry = (position, index)
            } else if unsafe symbol == UInt8(ascii: "?") || symbol == bytes[position] {
                unsafe position += symbol == UInt8(ascii: "?") ? DataPattern.characterLength(bytes, position) : 1
                index += 1
            } else if let last = retry {
                position = unsafe last.position + DataPattern.characterLength(bytes, last.position)
                index = last.index
                retry = (position, index)
            } else {
                return false
            }
        }
        return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// The number of bytes of the character at the index; 1 if the index isn't the start of a character.
    private static func characterLength(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
        let byte = unsafe bytes[index]
        let length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        return index + length <= bytes.count ? length : 1
    }
}
