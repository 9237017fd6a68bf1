// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

extension Realm {
    /// A reference to an object by its class and primary key, or by its key in the file if the class has no primary
    /// key. The object need not exist. An addition to Realm's API.
    public struct ObjectReference: Hashable, Sendable {
        /// The name of the class.
        public let className: String
        /// The primary key; nil if the class has none.
        public let primaryKey: ChangeValue?
        /// The object's key in the file, unique within its class.
        let objectKey: Int64

        init(className: String, primaryKey: ChangeValue?, objectKey: Int64) {
            self.className = className
            self.primaryKey = primaryKey
            self.objectKey = objectKey
        }

        /// Returns whether both identify the same object. This includes an object that was deleted and recreated with
        /// the same primary key.
        public static func == (a: ObjectReference, b: ObjectReference) -> Bool {
            guard a.className == b.className else { return false }
            if let key = a.primaryKey, let other = b.primaryKey { return key == other }
            return a.primaryKey == nil && b.primaryKey == nil && a.objectKey == b.objectKey
        }

        /// Hashes the components that `==` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(className)
            if let primaryKey { hasher.combine(primaryKey) } else { hasher.combine(objectKey) }
        }
    }
}

extension Realm.ObjectReference: CustomStringConvertible {
    /// The reference as text, such as `Dog "Rex"`, or `Dog #3` without a primary key.
    public var description: String { className + " " + (primaryKey.map { "\($0)" } ?? "#\(objectKey)") }
}

extension Realm.ObjectReference: Codable {
    private enum Key: String, CodingKey {
        case className = "class"
        case primaryKey, objectKey
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        className = try container.decode(String.self, forKey: .className)
        // A null primary key isn't a missing one.
        primaryKey =
            container.contains(.primaryKey) ? try container.decode(Realm.ChangeValue.self, forKey: .primaryKey) : nil
        objectKey = try container.decode(Int64.self, forKey: .objectKey)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(className, forKey: .className)
        // Null is a valid primary key and is encoded as one.
        if let primaryKey { try container.encode(primaryKey, forKey: .primaryKey) }
        try container.encode(objectKey, forKey: .objectKey)
    }
}

extension Realm {
    /// Returns the object that a reference identifies in the current version, or nil if it doesn't exist or is of
    /// another class.
    ///
    /// Call this only from the Realm's actor, queue, or thread. An addition to Realm's API.
    public func object<Element: Object>(_ reference: ObjectReference, as type: Element.Type) -> Element? {
        instance.verifyThread()
        let managed = instance.requireManaged(type)
        guard managed.info.name == reference.className else { return nil }
        guard let table = instance.table(managed.tableKey) else { return nil }
        let key: ObjectKey? = instance.reading(nil) {
            guard let primaryKey = reference.primaryKey, table.primaryKey != nil else {
                let key = ObjectKey(reference.objectKey)
                return try table.contains(key) ? key : nil
            }
            return try primaryKey.storedValue.flatMap { try table.object(primaryKey: $0) }
        }
        return key.map { instance.object(of: type, managed, $0) }
    }
}
