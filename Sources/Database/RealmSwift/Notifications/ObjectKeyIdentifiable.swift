// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An object or projection that is identified by its row, for use in SwiftUI's lists.
public protocol ObjectKeyIdentifiable: Identifiable {
    /// An identifier that is equal for all instances that represent the same stored object. An unmanaged object has its
    /// own.
    var id: UInt64 { get }
}

/// A former spelling of ``ObjectKeyIdentifiable``.
@available(*, deprecated, renamed: "ObjectKeyIdentifiable")
public typealias ObjectKeyIdentifable = ObjectKeyIdentifiable

extension ObjectKeyIdentifiable where Self: ObjectBase {
    /// An identifier that is equal for all instances that represent the same stored object. An unmanaged object has its
    /// own.
    public var id: UInt64 { rowIdentifier }
}

extension Identifiable where Self: ObjectBase {
    /// An identifier that is equal for all instances that represent the same stored object. An unmanaged object has its
    /// own.
    public var id: UInt64 { rowIdentifier }
}

extension ObjectBase {
    /// An identifier that is equal for all accessors of one row; an unmanaged object has its own.
    var rowIdentifier: UInt64 {
        guard let managed = _rlmRow.managed else {
            return unsafe UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
        }
        // An odd factor maps the keys of a table to distinct values, and those of different tables far from each other.
        return UInt64(bitPattern: _rlmRow.key.rawValue) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(managed.tableKey.rawValue)
    }
}
