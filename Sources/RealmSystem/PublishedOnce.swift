// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

internal import Atomics

/// Something that is made when it is first wanted, by whichever thread comes first, and never changes after that.
///
/// Reading it takes no lock.
package final class PublishedOnce<Object: AnyObject & Sendable>: Sendable {
    private let reference = ManagedAtomicLazyReference<Object>()

    package init() {}

    /// What was published; nil before that.
    package var value: Object? { reference.load() }

    /// Publishes `object` unless somebody was faster, and returns what is published.
    package func publish(_ object: Object) -> Object { reference.storeIfNilThenLoad(object) }
}
