// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The calls of the original's Objective-C half as Swift imports them, on the Swift types.

extension Realm {
    /// The default Realm of this thread.
    ///
    /// - Precondition: It can be opened.
    public static func `default`() -> Realm {
        do { return try Realm() } catch { throwRealmException("\(error)") }
    }

    /// Does what ``isInWriteTransaction`` does.
    public var inWriteTransaction: Bool { isInWriteTransaction }

    /// Does what ``beginWrite()`` does.
    public func beginWriteTransaction() { beginWrite() }

    /// Does what ``commitWrite(withoutNotifying:)`` does.
    public func commitWriteTransaction() throws { try commitWrite() }

    /// Does what ``cancelWrite()`` does.
    public func cancelWriteTransaction() { cancelWrite() }

    /// Does what ``write(withoutNotifying:_:)`` does.
    public func transaction(_ block: () -> Void) throws { try write(block) }

    /// Adds objects.
    public func addObjects<S: Sequence>(_ objects: S) where S.Element: Object { add(objects) }

    /// Adds an object, or changes the one with its primary key.
    public func addOrUpdate(_ object: Object) { add(object, update: .all) }

    /// Adds objects, or changes those with their primary keys.
    public func addOrUpdateObjects<S: Sequence>(_ objects: S) where S.Element: Object { add(objects, update: .all) }

    /// Deletes objects.
    public func deleteObjects<S: Sequence>(_ objects: S) where S.Element: ObjectBase { delete(objects) }

    /// Deletes all objects.
    public func deleteAllObjects() { deleteAll() }
}

extension RealmCollection {
    /// The first element; nil if there isn't one.
    public func firstObject() -> Element? { first }

    /// The last element; nil if there isn't one.
    public func lastObject() -> Element? { last }
}
