// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension ExtendedJSON {
    /// The relaxed form: numbers and dates as other programs expect them, without the exact types.
    package var relaxed: JSON {
        switch self {
        case .int32(let value): .int(value)
        case .int64(let value): .int(value)
        case .double(let value) where value.isFinite: .number(value.description)
        case .date(let milliseconds) where ExtendedJSON.relaxedDates.contains(milliseconds):
            ["$date": .string(ExtendedJSON.text(milliseconds: milliseconds))]
        case .array(let elements): .array(elements.map(\.relaxed))
        case .document(let members): .object(members.map { JSON.Member($0.name, $0.value.relaxed) })
        default: json
        }
    }

    /// Dates from 1970 to 9999, in milliseconds.
    private static let relaxedDates: Range<Int64> = 0..<253_402_300_800_000

    private static func text(milliseconds: Int64) -> String {
        Timestamp(seconds: milliseconds / 1000, nanoseconds: Int32(milliseconds % 1000) * 1_000_000).text
    }
}
