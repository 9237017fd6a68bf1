// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmSystem

/// The unmanaged objects that a thread creates from values that describe them and their linked objects.
///
/// An object gets its values, and with them the objects that these describe, before the next one. Where that would
/// recurse too deeply, the object is created so that others can link to it, and gets its values before the outermost
/// call returns.
///
/// Nested calls share one instance, which is looked up by thread: the calls pass through protocols of values that can't
/// carry it. Only that thread uses the instance; `all` is guarded by its lock.
final class ObjectMaking {
    private static let maxDepth = 50
    private static let all = Locked<[UInt: ObjectMaking]>([:])

    /// Copies the objects contained in the values; if nil, the values link to the objects themselves.
    private let copier: ObjectCopier?
    private var depth = 0
    private var waiting: [() -> Void] = []

    private init(_ copier: ObjectCopier?) { self.copier = copier }

    private static var current: ObjectMaking? { all.withLock { $0[ThreadToken.current()] } }

    /// Runs `body` and returns once every object that it created has its values.
    static func complete<Result>(copier: ObjectCopier? = nil, _ body: () -> Result) -> Result {
        let making = ObjectMaking(copier)
        let outer = all.withLock { all in
            defer { all[ThreadToken.current()] = making }
            return all[ThreadToken.current()]
        }
        defer { all.withLock { $0[ThreadToken.current()] = outer } }
        let result = body()
        while let next = making.waiting.popLast() { making.run(next) }
        return result
    }

    static func completeInside<Result>(_ body: () -> Result) -> Result {
        complete(copier: current?.copier, body)
    }

    /// Sets the values of an object, at once or before the outermost call returns.
    static func fill(_ object: ObjectBase, from value: Any) {
        let fill = { object.setValues(from: value) }
        guard let making = current else { return complete(fill) }
        making.run(fill)
    }

    private func run(_ fill: @escaping () -> Void) {
        guard depth < ObjectMaking.maxDepth else { return waiting.append(fill) }
        depth += 1
        fill()
        depth -= 1
    }

    static func copied(_ value: Any?, for property: PropertyInfo) -> Any? {
        guard let value, !isPlain(value), let copier = current?.copier else { return value }
        return copier.copy(value, for: property)
    }
}
