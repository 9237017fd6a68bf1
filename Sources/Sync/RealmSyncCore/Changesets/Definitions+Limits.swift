// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The schema limits of a database file. Servers and clients both reject a definition that exceeds them: a server must
/// not acknowledge a change that no client can apply.
extension TableDefinition {
    /// The reason why no file can contain the class; nil if a file can.
    package var refusal: String? {
        let limit = FileFormat.maximumNameByteCount - FileFormat.classPrefix.utf8.count
        guard name.string.utf8.count <= limit else {
            return "the name of the class '\(name.short)' exceeds \(limit) bytes"
        }
        switch kind {
        case .embedded: return nil
        case .topLevel(let key), .asymmetric(let key):
            guard key.type != .globalKey else { return "the class '\(name)' has no primary key" }
            return key.name.propertyRefusal(in: name)
        }
    }
}

extension ColumnDefinition {
    /// The reason why no file can contain the property; nil if a file can.
    package var refusal: String? {
        switch type {
        case .set, .list, .erased, .dictionary, .object, .globalKey: "\(self) isn't a property"
        default: column.name.propertyRefusal(in: column.table)
        }
    }

    /// Whether both definitions create the same property. Ignores the nullability of links and Mixed, which follows
    /// from their kind.
    package func isSame(as other: ColumnDefinition) -> Bool {
        var other = other
        if type == .link || type == .null { other.isNullable = isNullable }
        return self == other
    }

    package var takesNull: Bool {
        switch type {
        case .null: true
        case .link: collection == .single || collection == .dictionary
        default: isNullable
        }
    }
}

extension Text {
    fileprivate func propertyRefusal(in table: Text) -> String? {
        let limit = FileFormat.maximumNameByteCount
        return string.utf8.count <= limit
            ? nil : "the name of the property '\(table.short).\(short)' exceeds \(limit) bytes"
    }

    /// At most 100 bytes, for error messages.
    package var short: String { string.utf8.count <= 100 ? string : string.prefix(80) + "…" }
}
