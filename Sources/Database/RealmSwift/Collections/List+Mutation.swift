// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

extension List {
    /// Appends an element.
    public func append(_ object: Element) {
        guard let reference else { return storage.append(object) }
        unsafe reference._withUnsafeGuaranteedRef { managed in
            managed.verifyChange()
            managed.insert(object._rlmContent, at: managed.count)
        }
    }

    /// Appends the elements of a sequence.
    public func append<S: Sequence>(objectsIn objects: S) where S.Iterator.Element == Element {
        guard let managed else { return storage.append(contentsOf: Array(objects)) }
        managed.verifyChange()
        managed.insert(objects)
    }

    /// Inserts an element at `index`, which may equal `count`.
    public func insert(_ object: Element, at index: Int) {
        managed?.verifyChange()
        if !isInsertionIndex(index) { return }
        if let managed { return managed.insert(object._rlmContent, at: index) }
        storage.insert(object, at: index)
    }

    /// Inserts the elements of a collection at `index`, which may equal `count`.
    public func insert<C: Collection>(contentsOf newElements: C, at i: Int) where C.Iterator.Element == Element {
        managed?.verifyChange()
        if !isInsertionIndex(i) { return }
        guard let managed else { return storage.insert(contentsOf: Array(newElements), at: i) }
        managed.insert(newElements, at: i)
    }

    /// Removes the element at `index`.
    public func remove(at index: Int) {
        managed?.verifyChange()
        if !isIndex(index) { return }
        if let managed { return managed.remove(at: index) }
        storage.remove(at: index)
    }

    /// Removes all elements.
    public func removeAll() {
        guard let managed else { return storage.removeAll() }
        managed.verifyChange()
        managed.removeAll()
    }

    /// Removes the first `number` elements. Traps if the list has fewer.
    public func removeFirst(_ number: Int = 1) {
        managed?.verifyChange()
        if !isRemovable(number, of: count) { return }
        removeSubrange(0..<number)
    }

    /// Removes the last `number` elements. Traps if the list has fewer.
    public func removeLast(_ number: Int = 1) {
        guard let reference else {
            if !isRemovable(number, of: storage.count) { return }
            return storage.removeLast(number)
        }
        unsafe reference._withUnsafeGuaranteedRef { managed in
            managed.verifyChange()
            let count = managed.count
            if number == 1, count > 1 { return managed.remove(at: count - 1) }
            if !isRemovable(number, of: count) { return }
            managed.remove(count - number..<count)
        }
    }

    /// Removes the elements in a range.
    public func removeSubrange<R: RangeExpression>(_ boundsExpression: R) where R.Bound == Int {
        managed?.verifyChange()
        let bounds = boundsExpression.relative(to: self)
        if !areBounds(bounds) { return }
        guard let managed else { return storage.removeSubrange(bounds) }
        managed.remove(bounds)
    }

    /// Removes the elements at the given indexes.
    public func remove(atOffsets offsets: IndexSet) {
        managed?.verifyChange()
        if let last = offsets.last, !isIndex(last) { return }
        for index in offsets.reversed() { remove(at: index) }
    }

    /// Replaces the element at `index`.
    public func replace(index: Int, object: Element) {
        self[index] = object
    }

    /// Replaces the elements in a range with the elements of a collection, which may differ in number.
    public func replaceSubrange<C: Collection, R: RangeExpression>(_ subrange: R, with newElements: C)
    where C.Iterator.Element == Element, R.Bound == Int {
        managed?.verifyChange()
        let bounds = subrange.relative(to: self)
        if !areBounds(bounds) { return }
        let newElements = Array(newElements)
        removeSubrange(bounds)
        insert(contentsOf: newElements, at: bounds.lowerBound)
    }

    /// Moves an element. `to` is its index after the move.
    public func move(from: Int, to: Int) {
        managed?.verifyChange()
        if !isIndex(from) { return }
        if !isIndex(to) { return }
        if let managed { return managed.move(from: from, to: to) }
        storage.insert(storage.remove(at: from), at: to)
    }

    /// Moves the elements at the given indexes before the element that is currently at `destination`, keeping their
    /// order.
    public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
        managed?.verifyChange()
        if let last = offsets.last, !isIndex(last) { return }
        if !isInsertionIndex(destination) { return }
        for (done, index) in offsets.filter({ $0 < destination }).reversed().enumerated() {
            move(from: index, to: destination - 1 - done)
        }
        var target = destination
        for index in offsets.filter({ $0 >= destination }) {
            move(from: index, to: target)
            target += 1
        }
    }

    /// Exchanges two elements.
    public func swapAt(_ index1: Int, _ index2: Int) {
        managed?.verifyChange()
        if !isIndex(index1, "index1") { return }
        if !isIndex(index2, "index2") { return }
        if let managed { return managed.swap(index1, index2) }
        storage.swapAt(index1, index2)
    }

    private func isRemovable(_ number: Int, of count: Int) -> Bool {
        if 0...count ~= number { return true }
        let text =
            number < 0
            ? "Cannot pass a negative value for 'index'."
            : "It is not possible to remove more objects (\(number)) from a list than it already contains (\(count))."
        guard let managed else { throwRealmException(text) }
        managed.realm.refuse(text)
        return false
    }
}
