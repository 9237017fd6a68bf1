// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

internal import Atomics

/// An object that is created by the first thread that uses it, and never changes after that.
///
/// Reading it takes no lock.
package final class PublishedOnce<Object: AnyObject & Sendable>: Sendable {
    private let reference = ManagedAtomicLazyReference<Object>()

    package init() {}

    package var value: Object? { reference.load() }

    /// Publishes `object` unless another thread was faster. Returns the published object.
    package func publish(_ object: Object) -> Object { reference.storeIfNilThenLoad(object) }
}

/// An array of objects that are each published once, like that of `PublishedOnce`.
///
/// The memory is allocated once and never moved. All threads access it only by atomic operations, which guard it and
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

    package subscript(index: Int) -> Object? { unsafe unretained(index)?.takeUnretainedValue() }

    /// Returns the object without retaining it. It lives as long as this array.
    package func unretained(_ index: Int) -> Unmanaged<Object>? { unsafe place(index).load(ordering: .acquiring) }

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
