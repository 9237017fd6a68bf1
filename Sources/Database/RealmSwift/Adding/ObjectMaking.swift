// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The unmanaged objects that a thread makes of values which describe them and, inside, what they link to.
///
/// An object gets its values, and with them the objects that these describe, before the next one. Where that would lead
/// deeper than the stack should, the object is there, so that it can be linked to, and gets its values before the
/// outermost call returns.
///
/// The calls inside each other share one instance, which is found by their thread: they go through protocols of values,
/// which have no room for it. Only that thread uses the instance; `all` is guarded by its lock.
final class ObjectMaking {
    private static let greatestDepth = 50
    private static let all = Locked<[UInt: ObjectMaking]>([:])

    /// Copies the objects that lie in the values; without it they are linked to themselves.
    private let copier: ObjectCopier?
    private var depth = 0
    private var waiting: [() -> Void] = []

    private init(_ copier: ObjectCopier?) { self.copier = copier }

    private static var current: ObjectMaking? { all.withLock { $0[ThreadToken.current()] } }

    /// Runs `body`, and returns when every object that it made has its values.
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

    /// The same inside another making, with the copier of that.
    static func completeInside<Result>(_ body: () -> Result) -> Result {
        complete(copier: current?.copier, body)
    }

    /// Gives an object its values, at once or before the outermost call returns.
    static func fill(_ object: ObjectBase, from value: Any) {
        let fill = { object.setValues(from: value) }
        guard let making = current else { return complete(fill) }
        making.run(fill)
    }

    private func run(_ fill: @escaping () -> Void) {
        guard depth < ObjectMaking.greatestDepth else { return waiting.append(fill) }
        depth += 1
        fill()
        depth -= 1
    }

    /// A value for the property with copies in the place of the objects that lie in it.
    static func copied(_ value: Any?, for property: PropertyInfo) -> Any? {
        guard let value, !isPlain(value), let copier = current?.copier else { return value }
        return copier.copy(value, for: property)
    }
}
