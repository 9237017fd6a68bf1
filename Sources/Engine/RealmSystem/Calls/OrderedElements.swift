// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Sequence {
    /// The elements in order, equal ones in their original order: the result of `sorted(by:)`.
    ///
    /// For short arrays, and arrays that are sorted seldom. The library's sort is compiled again for each closure, into
    /// more than four kilobytes; this one exists once, and is some tens of nanoseconds slower.
    @inlinable package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return placesInOrder(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
    }
}

/// The indices of `count` elements in their order.
@usableFromInline @inline(never) package func placesInOrder(_ count: Int, _ precedes: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: precedes)
}
