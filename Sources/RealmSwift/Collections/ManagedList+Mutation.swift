// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Changes. Each needs a write in progress and a living owner; the positions were checked by the caller.
extension ManagedList {
    func insert(_ element: _StoredContent, at index: Int) {
        verifyClass(of: element)
        let position = treePosition(index)
        guard case .value(let value) = element.kind else {
            return realm.put(element, at: .newListElement(path, position), update: .error)
        }
        change { try $0.listInsert(value, at: position, in: path) }
    }

    func insert<Element: RealmCollectionValue>(_ elements: [Element], at index: Int) {
        for offset in 0..<elements.count {
            if hidesElements { update() }
            insert(elements[offset]._rlmContent, at: index + offset)
        }
    }

    func replace(_ index: Int, by element: _StoredContent) {
        verifyClass(of: element)
        if case .object(let object) = element.kind, object.livesInParent, isElement(index, object) { return }
        realm.put(element, at: .listElement(path, treePosition(index)), update: .error)
    }

    func remove(at index: Int) {
        let position = treePosition(index)
        change { try $0.listErase(at: position, in: path) }
    }

    func remove(_ bounds: Range<Int>) {
        for index in bounds.reversed() {
            if hidesElements { update() }
            remove(at: index)
        }
    }

    func removeAll() {
        change { try $0.listClear(in: path) }
    }

    func move(from source: Int, to target: Int) {
        guard source != target else { return }
        let (source, target) = (treePosition(source), treePosition(target))
        change { try $0.listMove(from: source, to: target, in: path) }
    }

    func swap(_ first: Int, _ second: Int) {
        guard first != second else { return }
        let (first, second) = (treePosition(first), treePosition(second))
        change { try $0.listSwap(first, second, in: path) }
    }

    private func isElement(_ index: Int, _ object: ObjectBase) -> Bool {
        object._rlmRow.realm === realm && object._rlmRow.managed?.tableKey == elementClass?.tableKey
            && value(at: index) == .link(object._rlmRow.key)
    }
}
