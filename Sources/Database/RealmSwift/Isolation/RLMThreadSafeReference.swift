// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The name of ``ThreadSafeReference`` in the Objective-C half of Realm's SDK.
public typealias RLMThreadSafeReference<Confined: ThreadConfined> = ThreadSafeReference<Confined>

extension ThreadSafeReference {
    /// Creates a reference, like ``init(to:)``.
    public init(threadConfined: Confined) { self.init(to: threadConfined) }
}

extension Realm {
    /// Resolves a reference, like ``resolve(_:)``.
    public func __resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? { resolve(reference) }
}
