// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

class Location<Value> {
    var current: Value { preconditionFailure("A location must say how it is read.") }
    func set(_ new: Value, _ transaction: Transaction) {}
    func isSame(as other: Location<Value>) -> Bool { self === other }
}

final class ConstantLocation<Value>: Location<Value> {
    private let value: Value

    init(_ value: Value) { self.value = value }

    override var current: Value { value }

    override func isSame(as other: Location<Value>) -> Bool {
        (other as? ConstantLocation).map { equality(of: Value.self)(value, $0.value) } ?? false
    }
}

final class FunctionLocation<Value>: Location<Value> {
    private let read: () -> Value
    private let write: (Value, Transaction) -> Void

    init(read: @escaping () -> Value, write: @escaping (Value, Transaction) -> Void) {
        self.read = read
        self.write = write
    }

    override var current: Value { read() }
    override func set(_ new: Value, _ transaction: Transaction) { write(new, transaction) }
}

/// Two are equal if their bases and parts are.
final class DerivedLocation<Base, Value>: Location<Value> {
    private let base: Location<Base>
    private let place: AnyHashable
    private let read: (Base) -> Value
    private let write: (inout Base, Value) -> Void

    init(
        _ base: Location<Base>, at place: AnyHashable, read: @escaping (Base) -> Value,
        write: @escaping (inout Base, Value) -> Void
    ) {
        self.base = base
        self.place = place
        self.read = read
        self.write = write
    }

    override var current: Value { read(base.current) }

    override func set(_ new: Value, _ transaction: Transaction) {
        var value = base.current
        write(&value, new)
        base.set(value, transaction)
    }

    override func isSame(as other: Location<Value>) -> Bool {
        guard let other = other as? DerivedLocation else { return false }
        return place == other.place && base.isSame(as: other.base)
    }
}

/// A view that reads the property observes the object.
final class ObjectLocation<Object: AnyObject, Value>: Location<Value> {
    private let object: Object
    private let keyPath: ReferenceWritableKeyPath<Object, Value>
    private let follow: @MainActor (Object, Node) -> Void

    init(
        _ object: Object, _ keyPath: ReferenceWritableKeyPath<Object, Value>,
        follow: @escaping @MainActor (Object, Node) -> Void
    ) {
        self.object = object
        self.keyPath = keyPath
        self.follow = follow
    }

    override var current: Value {
        if let node = Node.reader { followedBy(node) }
        return object[keyPath: keyPath]
    }

    private func followedBy(_ node: Node) {
        // A reader exists only on the main thread, and `object` is used there before this method returns.
        nonisolated(unsafe) let object = object
        let follow = follow
        MainActor.assumeIsolated { follow(object, node) }
    }

    override func set(_ new: Value, _ transaction: Transaction) { object[keyPath: keyPath] = new }

    override func isSame(as other: Location<Value>) -> Bool {
        guard let other = other as? ObjectLocation else { return false }
        return object === other.object && keyPath == other.keyPath
    }
}
