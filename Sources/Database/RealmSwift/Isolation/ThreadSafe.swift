// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A variable with a managed value that every thread reads as its own. As a property wrapper it is for the properties
/// of types and for parameters: Swift 6 lets no closure of another thread use a local variable.
///
/// ```swift
/// let dog = ThreadSafe(wrappedValue: dog)
/// queue.async { print(dog.wrappedValue?.name ?? "gone") }
/// ```
///
/// Reading opens the Realm on the reading thread, in its newest version if it refreshes by itself, and gives nil if the
/// value was deleted. Meant for local variables and
/// parameters: it keeps the version of its Realm from going until it is read the next time.
///
/// All state is guarded by `content`.
@propertyWrapper public final class ThreadSafe<T: ThreadConfined>: @unchecked Sendable {
    private let content: Locked<Content?>

    private struct Content {
        var reference: HandoverResult<T>
        let configuration: Realm.Configuration
    }

    /// The value, for the caller's thread; nil if it was deleted. Only managed values can be assigned.
    public var wrappedValue: T? {
        get { content.withLock { Self.read(&$0) } }
        set {
            let new = newValue.map { Self.make($0) }
            content.withLock { $0 = new }
        }
    }

    /// Makes the variable. Only managed values can be assigned.
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
        // What other threads did with the value meanwhile is there to be read (row S14).
        if realm.instance.delivery.autorefresh { realm.instance.moveToNewest() }
        guard let value = known.reference.take(in: realm) else {
            content = nil
            return nil
        }
        content?.reference = HandoverResult(value)
        return value
    }
}
