// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

extension ExtendedJSON {
    /// A float becomes a double. A date loses fractions of milliseconds. A link is a
    /// reference with class and key, as in a Mixed; null for a collection.
    init(_ value: SyncValue) {
        switch value {
        case .int(let value): self = .int64(value)
        case .bool(let value): self = .bool(value)
        case .string(let value): self = .string(value.string)
        case .binary(let value): self = .binary(value, subtype: 0)
        case .timestamp(let value): self = .date(ExtendedJSON.milliseconds(value))
        case .float(let value): self = .double(Double(value))
        case .double(let value): self = .double(value)
        case .decimal(let value): self = .decimal(value)
        case .objectId(let value): self = .objectId(value)
        case .uuid(let value): self = .uuid(value)
        case .link(let object):
            self = .document([Member("$ref", .string(object.table.string)), Member("$id", ExtendedJSON(object.key))])
        case .null, .object, .dictionary, .list, .set, .erased: self = .null
        }
    }

    init(_ key: PrimaryKey) {
        switch key {
        case .null, .globalKey: self = .null
        case .int(let value): self = .int64(value)
        case .string(let value): self = .string(value.string)
        case .objectId(let value): self = .objectId(value)
        case .uuid(let value): self = .uuid(value)
        }
    }

    static func milliseconds(_ time: Timestamp) -> Int64 {
        let (whole, overflows) = time.seconds.multipliedReportingOverflow(by: 1000)
        if overflows { return time.seconds < 0 ? .min : .max }
        let (sum, exceeds) = whole.addingReportingOverflow(Int64(time.nanoseconds / 1_000_000))
        return exceeds ? (whole < 0 ? .min : .max) : sum
    }
}
