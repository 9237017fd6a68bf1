// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// A reference that passes a managed value to another thread, queue or actor.
///
/// ```swift
/// let reference = ThreadSafeReference(to: dog)
/// queue.async {
///     guard let realm = try? Realm(), let dog = realm.resolve(reference) else { return }
///     print(dog.name)
/// }
/// ```
///
/// A reference can be resolved once. Until then it pins the version of its Realm. If a Realm that hasn't read anything
/// yet resolves the reference, it starts at that version: objects deleted in the meantime exist until that Realm
/// advances.
@frozen public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
    @usableFromInline let content: HandoverResult<Confined>

    /// A Boolean value that indicates whether the reference has been resolved.
    public var isInvalidated: Bool { content.isGone }

    /// Creates a reference to a managed value.
    ///
    /// - Precondition: The value is managed and not deleted.
    public init(to threadConfined: Confined) { content = HandoverResult(threadConfined) }

    func resolve(in realm: Realm) -> Confined? { content.take(in: realm) }
}

extension Realm {
    /// Resolves a reference in this Realm. Returns nil if the value doesn't exist in the version that this Realm reads.
    /// Each reference can be resolved once: the second call traps.
    ///
    /// A Realm that hasn't read anything yet reads the reference's version from then on, until it is refreshed. A Realm
    /// at an older version advances to the newest one.
    ///
    /// - Precondition: No write transaction of this Realm is in progress.
    public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        reference.resolve(in: self)
    }
}

/// A value in transit to another confinement.
///
/// The value belongs to a frozen instance or represents one, and is used only under the lock or to create another one
/// from it.
@usableFromInline
final class HandoverResult<Confined: ThreadConfined>: @unchecked Sendable {
    private let value: Locked<Confined?>
    /// Whether a write in progress may have created the value, in which case the pinned version lacks it.
    private let isOfWrite: Bool

    init(_ confined: Confined) {
        value = Locked(Self.detached(confined))
        isOfWrite = confined.realm?.isInWriteTransaction ?? false
    }

    var isGone: Bool { value.withLock { $0 == nil } }

    /// Returns the value in `realm`, once.
    func take(in realm: Realm) -> Confined? {
        let taken = value.withLock { value in
            defer { value = nil }
            return value
        }
        guard let taken else { throwRealmException("Can only resolve a thread safe reference once.") }
        return attached(taken, to: realm)
    }

    /// Returns the value detached from its confinement. Its row may be missing in the frozen version if the write in
    /// progress created it.
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

private protocol QueryOfAnything {}
extension Results: QueryOfAnything {}
