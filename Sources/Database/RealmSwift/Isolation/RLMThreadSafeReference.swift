// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Another name of ``ThreadSafeReference``, which the Objective-C half of Realm's SDK has.
public typealias RLMThreadSafeReference<Confined: ThreadConfined> = ThreadSafeReference<Confined>

extension ThreadSafeReference {
    /// Creates a reference, as ``init(to:)``.
    public init(threadConfined: Confined) { self.init(to: threadConfined) }
}

extension Realm {
    /// Resolves a reference, as ``resolve(_:)``.
    public func __resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? { resolve(reference) }
}
