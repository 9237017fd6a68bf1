// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

// The API of the original's Objective-C half as imported into Swift, on the Swift types.

extension Realm {
    /// Returns the default Realm of this thread.
    ///
    /// - Precondition: The Realm can be opened.
    public static func `default`() -> Realm {
        do { return try Realm() } catch { throwRealmException("\(error)") }
    }

    /// A Boolean value that indicates whether a write transaction is in progress; see ``isInWriteTransaction``.
    public var inWriteTransaction: Bool { isInWriteTransaction }

    /// Begins a write transaction; see ``beginWrite()``.
    public func beginWriteTransaction() { beginWrite() }

    /// Commits the write transaction; see ``commitWrite(withoutNotifying:)``.
    public func commitWriteTransaction() throws { try commitWrite() }

    /// Cancels the write transaction; see ``cancelWrite()``.
    public func cancelWriteTransaction() { cancelWrite() }

    /// Runs a write transaction; see ``write(withoutNotifying:_:)``.
    public func transaction(_ block: () -> Void) throws { try write(block) }

    /// Adds objects; see `add(_:update:)`.
    public func addObjects<S: Sequence>(_ objects: S) where S.Element: Object { add(objects) }

    /// Adds an object, or updates the existing object with the same primary key.
    public func addOrUpdate(_ object: Object) { add(object, update: .all) }

    /// Adds objects, or updates the existing objects with the same primary keys.
    public func addOrUpdateObjects<S: Sequence>(_ objects: S) where S.Element: Object { add(objects, update: .all) }

    /// Deletes objects.
    public func deleteObjects<S: Sequence>(_ objects: S) where S.Element: ObjectBase { delete(objects) }

    /// Deletes all objects.
    public func deleteAllObjects() { deleteAll() }
}

extension RealmCollection {
    /// Returns the first element, or nil if the collection is empty.
    public func firstObject() -> Element? { first }

    /// Returns the last element, or nil if the collection is empty.
    public func lastObject() -> Element? { last }
}
