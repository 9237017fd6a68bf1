// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Changes. Each needs a write in progress and a living owner; the positions were checked by the caller.
extension ManagedList {
    /// The checks that every change begins with.
    func verifyChange() {
        if isInvalidated { owner.throwInvalid("List") }
        realm.verifyInWrite("Cannot modify managed List outside of a write transaction.")
    }

    func insert(_ element: _StoredContent, at index: Int) {
        verifyClass(of: element)
        realm.insert(
            element, at: treePosition(index), column, of: owner.key, in: owner.managed, update: .error)
    }

    func replace(_ index: Int, by element: _StoredContent) {
        verifyClass(of: element)
        let position = treePosition(index)
        switch element.kind {
        case .object(let object) where object is EmbeddedObject:
            if isElement(index, object) { return }
            if object.isManaged {
                throwRealmException("Cannot add an existing managed embedded object to a List.")
            }
            change { try $0.listErase(at: position, column, of: $1, in: $2) }
            realm.insert(element, at: position, column, of: owner.key, in: owner.managed, update: .error)
        case .object(let object):
            let link = realm.add(object, update: .error)
            change { try $0.listSet(.link(link), at: position, column, of: $1, in: $2) }
        case .value(let value): change { try $0.listSet(value, at: position, column, of: $1, in: $2) }
        case .collection: throwRealmException("A list cannot hold a list.")
        }
    }

    func remove(at index: Int) {
        let position = treePosition(index)
        change { try $0.listErase(at: position, column, of: $1, in: $2) }
    }

    func removeAll() {
        change { try $0.listClear(column, of: $1, in: $2) }
    }

    func move(from source: Int, to target: Int) {
        guard source != target else { return }
        let (source, target) = (treePosition(source), treePosition(target))
        change { try $0.listMove(from: source, to: target, column, of: $1, in: $2) }
    }

    func swap(_ first: Int, _ second: Int) {
        guard first != second else { return }
        let (low, high) = (treePosition(min(first, second)), treePosition(max(first, second)))
        change {
            try $0.listMove(from: low, to: high, column, of: $1, in: $2)
            try $0.listMove(from: high - 1, to: low, column, of: $1, in: $2)
        }
    }

    private func change(_ body: (WriteTransaction, ObjectKey, TableKey) throws -> Void) {
        realm.change { try body($0, owner.key, owner.managed.tableKey) }
    }

    private func isElement(_ index: Int, _ object: ObjectBase) -> Bool {
        object._row.realm === realm && object._row.managed === elementClass
            && value(at: index) == .link(object._row.key)
    }

    private func verifyClass(of element: _StoredContent) {
        guard case .object(let object) = element.kind, let wanted = elementClass?.info else { return }
        let name = object.classInfo.name
        if name != wanted.name {
            throwRealmException("Object of type '\(name)' does not match RLMArray type '\(wanted.name)'.")
        }
    }
}
