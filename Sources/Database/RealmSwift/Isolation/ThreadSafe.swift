// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// A property wrapper for a managed value, resolved separately on each thread that reads it. Use it for properties and
/// parameters: in Swift 6, closures of other threads can't capture local variables.
///
/// ```swift
/// let dog = ThreadSafe(wrappedValue: dog)
/// queue.async { print(dog.wrappedValue?.name ?? "gone") }
/// ```
///
/// Reading opens the Realm on the reading thread, at its newest version if it refreshes automatically, and returns nil
/// if the value was deleted. Use the wrapper for short-lived variables: it pins a version of its Realm until it is next
/// read.
///
/// All state is guarded by `content`.
@propertyWrapper public final class ThreadSafe<T: ThreadConfined>: @unchecked Sendable {
    private let content: Locked<Content?>

    private struct Content {
        var reference: HandoverResult<T>
        let configuration: Realm.Configuration
    }

    /// The value, resolved for the caller's thread; nil if it was deleted. Only managed values can be assigned.
    public var wrappedValue: T? {
        get { content.withLock { Self.read(&$0) } }
        set {
            let new = newValue.map { Self.make($0) }
            content.withLock { $0 = new }
        }
    }

    /// Creates the wrapper. Only managed values can be assigned.
    public init(wrappedValue: T?) {
        content = Locked(wrappedValue.map { Self.make($0) })
    }

    private static func make(_ value: T) -> Content {
        guard let realm = value.realm else {
            throwRealmException("Only managed objects may be wrapped as thread safe.")
        }
        return Content(reference: HandoverResult(value), configuration: realm.configuration)
    }

    private static func read(_ content: inout Content?) -> T? {
        guard let known = content else { return nil }
        let realm: Realm
        do {
            realm = try Realm(configuration: known.configuration)
        } catch {
            throwRealmException("\(error)")
        }
        // Makes changes of other threads to the value visible (row S14).
        if realm.instance.delivery.autorefresh { realm.instance.moveToNewest() }
        guard let value = known.reference.take(in: realm) else {
            content = nil
            return nil
        }
        content?.reference = HandoverResult(value)
        return value
    }
}
