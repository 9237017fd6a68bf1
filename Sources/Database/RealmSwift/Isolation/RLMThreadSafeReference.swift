// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Another name of ``ThreadSafeReference``, which the Objective-C half of Realm's SDK has.
public typealias RLMThreadSafeReference<Confined: ThreadConfined> = ThreadSafeReference<Confined>

extension ThreadSafeReference {
    /// Does what ``init(to:)`` does.
    public init(threadConfined: Confined) { self.init(to: threadConfined) }
}

extension Realm {
    /// Does what ``resolve(_:)`` does.
    public func __resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? { resolve(reference) }
}
