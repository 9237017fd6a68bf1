// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Sequence {
    /// Returns the result of `sorted(by:)`: equal elements keep their order.
    ///
    /// For short arrays, and arrays that are rarely sorted. The library's sort is compiled again for each closure, into
    /// more than four kilobytes. This one exists once, and is some tens of nanoseconds slower.
    @inlinable package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return placesInOrder(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
    }
}

@usableFromInline @inline(never) package func placesInOrder(_ count: Int, _ precedes: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: precedes)
}
