// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The collection of a `ProjectedCollection`, and the projected property of its elements. The type of the elements is
/// erased.
class ProjectionSource<Value: RealmCollectionValue> {
    var count: Int { 0 }
    var realm: Realm? { nil }
    var isInvalidated: Bool { false }
    var isFrozen: Bool { false }

    func freeze() -> ProjectionSource { self }
    func thaw() -> ProjectionSource? { self }
    func transferred(to instance: RealmInstance) -> ProjectionSource { self }
    var core: LiveQuery? { nil }
    var origin: String { "" }
    func value(at index: Int) -> Value { throwRealmException("Collection is no longer valid") }
    func setValue(_ value: Value, at index: Int) {}
    func index(matching predicate: String, _ arguments: [Any]) -> Int? { nil }
}

final class ProjectionSourceOf<Base: RealmCollection, Value: RealmCollectionValue>: ProjectionSource<Value>
where Base.Element: ObjectBase {
    private let base: Base
    private let keyPath: KeyPath<Base.Element, Value>

    init(_ base: Base, _ keyPath: KeyPath<Base.Element, Value>) {
        self.base = base
        self.keyPath = keyPath
    }

    override var count: Int { base.count }
    override var realm: Realm? { base.realm }
    override var isInvalidated: Bool { base.isInvalidated }
    override var isFrozen: Bool { base.isFrozen }

    override func freeze() -> ProjectionSource<Value> { ProjectionSourceOf(base.freeze(), keyPath) }

    override func thaw() -> ProjectionSource<Value>? { base.thaw().map { ProjectionSourceOf($0, keyPath) } }

    override func transferred(to instance: RealmInstance) -> ProjectionSource<Value> {
        ProjectionSourceOf(ObservedCollection(base).transferred(to: instance).collection, keyPath)
    }

    override var core: LiveQuery? { base._origin?.core }

    override var origin: String { PropertyProbe.beginning(of: keyPath).map(\.name).joined(separator: ".") }

    override func value(at index: Int) -> Value { base.element(at: index)[keyPath: keyPath] }

    override func setValue(_ value: Value, at index: Int) {
        guard let keyPath = keyPath as? ReferenceWritableKeyPath<Base.Element, Value> else {
            throwRealmException("KeyPath is not writable")
        }
        base.element(at: index)[keyPath: keyPath] = value
    }

    override func index(matching predicate: String, _ arguments: [Any]) -> Int? {
        let core = base.requireCore()
        return core.index(matching: core.realm.predicate(predicate, arguments))
    }
}

extension RealmCollection {
    func element(at index: Int) -> Element { self[index] }
}
