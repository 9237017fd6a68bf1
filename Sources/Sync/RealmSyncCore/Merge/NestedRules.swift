// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The rules for an instruction and a more deeply nested one (§4.3).
enum NestedRules {
    /// | outer | effect on inner |
    /// |---|---|
    /// | EraseTable | same class: discarded |
    /// | EraseObject | same object: discarded |
    /// | Update to *list* | inside, unless the next step is an index: discarded |
    /// | Update to *dictionary* | inside, unless the next step is a key: discarded |
    /// | Update to *object* | none |
    /// | Update to another value, AddInteger, Clear | inside: discarded |
    /// | ArrayInsert, ArrayErase, ArrayMove | in an element of the list: it follows, or is discarded with it |
    /// | others | none |
    static func apply(_ outer: Instruction, to inner: inout Side) throws(MergeError) {
        guard let instruction = inner.instruction else { return }
        switch outer {
        case .eraseTable(let table):
            if instruction.table == table { inner.discard() }
        case .eraseObject(let object):
            if instruction.object == object { inner.discard() }
        case .change(let place, let change):
            guard case .change(let innerPlace, let innerChange) = instruction, place.object == innerPlace.object,
                place.column == innerPlace.column
            else { return }
            switch change {
            case .update(let value, _), .updateElement(let value, _):
                if place.path.isInside(innerPlace.path), discards(value, at: innerPlace.path[place.path.count]) {
                    inner.discard()
                }
            case .addInteger, .clear:
                if place.path.isInside(innerPlace.path) { inner.discard() }
            case .insert, .move, .erase:
                try follow(change, at: place.path, innerPlace, innerChange, &inner)
            case .setInsert, .setErase: break
            }
        case .addTable, .addColumn, .eraseColumn, .createObject: break
        }
    }

    /// Whether an Update to `value` removes the previous contents. `next` is the first step of a path into these.
    private static func discards(_ value: SyncValue, at next: PathElement) -> Bool {
        switch (value, next) {
        case (.object, _), (.list, .index), (.dictionary, .key): false
        default: true
        }
    }

    /// Adjusts the index of a list element in the path of an instruction, so that the path follows the element.
    ///
    /// This also applies to instructions such as Clear of a list in a list, which concern an element but not the outer
    /// list.
    static func follow(
        _ change: Change, at path: Path, _ innerPlace: Place, _ innerChange: Change, _ inner: inout Side
    ) throws(MergeError) {
        guard let depth = path.listDepth, innerPlace.path.count > depth, path.shares(depth, with: innerPlace.path),
            case .index(let source)? = path.last, case .index(let index) = innerPlace.path[depth]
        else { return }
        guard let moved = try position(of: index, after: change, at: source) else {
            inner.discard()
            return
        }
        guard moved != index else { return }
        var place = innerPlace
        place.path[depth] = .index(moved)
        inner.instruction = .change(place, innerChange)
    }

    /// Returns the index of a list element after a change at `place`; nil if the element was erased.
    private static func position(of index: Int, after change: Change, at place: Int) throws(MergeError) -> Int? {
        switch change {
        case .insert:
            guard index < UInt32.max else { throw MergeError("an index exceeds 32 bits") }
            return index >= place ? index + 1 : index
        case .erase: return index == place ? nil : index > place ? index - 1 : index
        case .move(let target, _):
            if index == place { return target }
            let removed = index > place ? index - 1 : index
            return removed >= target ? removed + 1 : removed
        default: return index
        }
    }
}

extension Path {
    func isInside(_ inner: Path) -> Bool { inner.count > count && shares(count, with: inner) }

    var listDepth: Int? { lastIndex == nil ? nil : count - 1 }
}
