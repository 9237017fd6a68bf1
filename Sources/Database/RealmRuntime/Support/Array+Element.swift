// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Array {
    /// Returns an element; nil if the position doesn't exist.
    package func element(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
