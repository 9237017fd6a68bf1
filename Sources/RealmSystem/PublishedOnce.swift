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

/// As `PublishedOnce`, for many things, each in a place of its own.
///
/// The memory is allocated once and never moved; all threads touch it by atomic operations only, which guard it and
/// make the class `Sendable`.
@safe
package final class PublishedPlaces<Object: AnyObject & Sendable>: @unchecked Sendable {
    private let places: UnsafeMutableBufferPointer<UnsafeAtomicLazyReference<Object>.Storage>

    package init(count: Int) {
        unsafe places = .allocate(capacity: count)
        unsafe places.initialize(repeating: UnsafeAtomicLazyReference<Object>.Storage())
    }

    deinit {
        for index in unsafe places.indices { _ = unsafe places[index].dispose() }
        unsafe places.deallocate()
    }

    /// What was published at a place; nil before that.
    package subscript(index: Int) -> Object? { reference(index).load() }

    /// Publishes `object` at a place unless somebody was faster, and returns what is published there.
    package func publish(_ object: Object, at index: Int) -> Object {
        reference(index).storeIfNilThenLoad(object)
    }

    private func reference(_ index: Int) -> UnsafeAtomicLazyReference<Object> {
        precondition(unsafe places.indices.contains(index))
        return unsafe UnsafeAtomicLazyReference(at: places.baseAddress! + index)
    }
}
