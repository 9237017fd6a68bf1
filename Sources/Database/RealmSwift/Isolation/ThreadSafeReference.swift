// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A managed value on its way to another thread, queue or actor.
///
/// ```swift
/// let reference = ThreadSafeReference(to: dog)
/// queue.async {
///     guard let realm = try? Realm(), let dog = realm.resolve(reference) else { return }
///     print(dog.name)
/// }
/// ```
///
/// It can be resolved once. Until then it keeps the version of its Realm, which a Realm that has read nothing yet
/// begins with when it resolves the reference: what was deleted meanwhile is there until that Realm moves on.
@frozen public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
    @usableFromInline let content: HandoverResult<Confined>

    /// Whether the reference was resolved.
    public var isInvalidated: Bool { content.isGone }

    /// Makes a reference to a managed value.
    ///
    /// - Precondition: The value is managed and not deleted.
    public init(to threadConfined: Confined) { content = HandoverResult(threadConfined) }

    func resolve(in realm: Realm) -> Confined? { content.take(in: realm) }
}

extension Realm {
    /// The value that a reference was made to, in this Realm; nil if it isn't in the version that this Realm reads.
    /// Once for each reference: the second time traps.
    ///
    /// A Realm that has read nothing yet reads the version of the reference from then on, until it is refreshed. One
    /// that is at an older version moves to the newest. Not to be called within a write transaction.
    public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        reference.resolve(in: self)
    }
}

/// A value that is not used while it is here.
///
/// It is one of a frozen instance, or stands for one, and is used only under the lock or to make another of it.
@usableFromInline
final class HandoverResult<Confined: ThreadConfined>: @unchecked Sendable {
    private let value: Locked<Confined?>
    /// Whether a write in progress may have made the value, which the kept version lacks then.
    private let isOfWrite: Bool

    init(_ confined: Confined) {
        value = Locked(Self.detached(confined))
        isOfWrite = confined.realm?.isInWriteTransaction ?? false
    }

    var isGone: Bool { value.withLock { $0 == nil } }

    /// The value in `realm`, once.
    func take(in realm: Realm) -> Confined? {
        let taken = value.withLock { value in
            defer { value = nil }
            return value
        }
        guard let taken else { throwRealmException("Can only resolve a thread safe reference once.") }
        return attached(taken, to: realm)
    }

    /// The value apart from its place. Its row may be missing there: one that the write in progress made.
    private static func detached(_ confined: Confined) -> Confined {
        guard let realm = confined.realm else {
            throwRealmException(
                "Cannot construct reference to unmanaged object, which can be passed across threads directly")
        }
        if confined.isInvalidated { realm.instance.refuse("Cannot construct reference to invalidated object") }
        guard let transferable = confined as? any Transferable else { return confined.freeze() }
        let moved = moved(transferable, to: realm.instance.frozen()) ?? confined.freeze()
        if moved is any QueryOfAnything, moved.isInvalidated {
            throwRealmException(
                """
                Cannot create a ThreadSafeReference to Results backed by a collection of objects inside the write \
                transaction which created the collection.
                """)
        }
        return moved
    }

    private func attached(_ value: Confined, to realm: Realm) -> Confined? {
        realm.instance.verifyThread()
        let transferable = value as? any Transferable
        guard let origin = transferable?.managingInstance ?? value.realm?.instance else { return nil }
        if origin.coordinator !== realm.instance.coordinator { Self.throwMismatch() }
        realm.instance.catchUp(with: origin, isOfWrite: isOfWrite)
        guard let transferable else {
            guard let thawed = value.thaw() else { return nil }
            if thawed.realm != realm { Self.throwMismatch() }
            return thawed
        }
        guard let attached = Self.moved(transferable, to: realm.instance), !attached.isInvalidated else { return nil }
        return attached
    }

    private static func moved(_ value: some Transferable, to instance: RealmInstance) -> Confined? {
        value.transferred(to: instance) as? Confined
    }

    private static func throwMismatch() -> Never {
        throwRealmException(
            "Cannot resolve thread safe reference in Realm with different configuration than the source Realm.")
    }
}

/// Results, whatever their elements are.
private protocol QueryOfAnything {}
extension Results: QueryOfAnything {}
