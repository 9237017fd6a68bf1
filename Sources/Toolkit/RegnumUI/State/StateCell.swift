// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Synchronization

/// Can be used from any thread: the lock guards the value and the readers. `didSet` is set before the cell is shared.
final class StateCell<Value>: Location<Value>, ReadableSource, @unchecked Sendable {
    private struct Reader {
        weak var node: Node?
    }

    private let lock = Mutex<Void>(())
    private var value: Value
    private var readers: [ObjectIdentifier: Reader] = [:]
    private let isSame: (Value, Value) -> Bool
    var didSet: ((Value) -> Void)?

    init(_ value: Value) {
        self.value = value
        isSame = equality(of: Value.self)
    }

    override var current: Value {
        if let node = Node.reader {
            lock.withLock { _ in readers[ObjectIdentifier(node)] = Reader(node: node) }
            MainActor.assumeIsolated { node.depend(on: self) }
        }
        return lock.withLock { _ in value }
    }

    /// Doesn't add a reader.
    var unread: Value { lock.withLock { _ in value } }

    override func set(_ new: Value, _ transaction: Transaction) {
        let (old, nodes) = lock.withLock { _ in
            let old = value
            value = new
            return (old, readers.values.compactMap(\.node))
        }
        guard !isSame(old, new) else { return }
        for node in nodes { node.invalidate("State") }
        didSet?(new)
    }

    override func isSame(as other: Location<Value>) -> Bool { self === other }

    func forget(_ node: Node) {
        lock.withLock { _ in _ = readers.removeValue(forKey: ObjectIdentifier(node)) }
    }
}

/// Always false if the type isn't `Equatable`.
func equality<T>(of type: T.Type) -> (T, T) -> Bool {
    func compare<E: Equatable>(_ type: E.Type) -> (T, T) -> Bool {
        { a, b in (a as? E) == (b as? E) }
    }
    return (type as? any Equatable.Type).map { compare($0) } ?? { _, _ in false }
}
