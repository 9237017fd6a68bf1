// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension RangeReplaceableCollection {
    /// Removes the elements at the given offsets. Offsets out of bounds are ignored.
    public mutating func remove(atOffsets offsets: IndexSet) {
        var kept = Self()
        for (offset, element) in enumerated() where !offsets.contains(offset) { kept.append(element) }
        self = kept
    }
}

extension MutableCollection {
    /// Moves the elements at the given offsets in front of the element at `destination`, or to the end if `destination`
    /// is the count. Both count offsets before the move.
    public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
        let all = Array(enumerated())
        let moved = all.filter { source.contains($0.offset) }
        let rest = all.filter { !source.contains($0.offset) }
        let ordered = rest.filter { $0.offset < destination } + moved + rest.filter { $0.offset >= destination }
        for (index, item) in zip(Array(indices), ordered) { self[index] = item.element }
    }
}
