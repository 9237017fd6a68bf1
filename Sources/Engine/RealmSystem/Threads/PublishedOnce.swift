// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

internal import Atomics

/// An object that is created on first use, by the thread that uses it first, and never changes after that.
///
/// Reading it takes no lock.
package final class PublishedOnce<Object: AnyObject & Sendable>: Sendable {
    private let reference = ManagedAtomicLazyReference<Object>()

    package init() {}

    /// The published object; nil before that.
    package var value: Object? { reference.load() }

    /// Publishes `object` unless another thread was faster, and returns the published object.
    package func publish(_ object: Object) -> Object { reference.storeIfNilThenLoad(object) }
}

/// Objects that are each published once, like that of `PublishedOnce`, at the places of an array.
///
/// The memory is allocated once and never moved; all threads touch it by atomic operations only, which guard it and
/// make the class `Sendable`.
@safe
package final class PublishedPlaces<Object: AnyObject & Sendable>: @unchecked Sendable {
    private typealias Place = UnsafeAtomic<Unmanaged<Object>?>
    private let places: UnsafeMutableBufferPointer<Place.Storage>

    package init(count: Int) {
        unsafe places = .allocate(capacity: count)
        for index in unsafe places.indices { unsafe places.initializeElement(at: index, to: Place.Storage(nil)) }
    }

    deinit {
        for index in unsafe places.indices { unsafe places[index].dispose()?.release() }
        unsafe places.deallocate()
    }

    /// The object published at an index; nil before that.
    package subscript(index: Int) -> Object? { unsafe unretained(index)?.takeUnretainedValue() }

    /// Returns the subscript's object without retaining it: it lives as long as this array.
    package func unretained(_ index: Int) -> Unmanaged<Object>? { unsafe place(index).load(ordering: .acquiring) }

    /// Publishes `object` at an index unless another thread was faster, and returns the object published there.
    package func publish(_ object: Object, at index: Int) -> Object {
        let mine = unsafe Unmanaged.passRetained(object)
        let (isMine, other) = unsafe place(index).compareExchange(
            expected: nil, desired: mine, ordering: .acquiringAndReleasing)
        if isMine { return object }
        unsafe mine.release()
        guard let other = unsafe other else { return object }
        return unsafe other.takeUnretainedValue()
    }

    private func place(_ index: Int) -> Place {
        precondition(unsafe places.indices.contains(index))
        return unsafe Place(at: places.baseAddress! + index)
    }
}
