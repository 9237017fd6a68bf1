// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes the collection that a path names. Each instruction finds the collection again, except the one that the
/// transaction changed last.
protocol PathWriter: CollectionWriter {
    var path: CollectionPath { get }
    func requireKind(of place: ResolvedCollection) throws
}

extension PathWriter {
    func place() throws -> ResolvedCollection {
        let place = try lastChanged() ?? transaction.resolve(path)
        try requireKind(of: place)
        return place
    }

    /// Calls `body` to change the elements of the collection, and nothing else except for the consequences.
    ///
    /// Reference counting would take as long as a small change. If no consequence can release the collection that was
    /// changed last (`isKept`), it's passed without retaining it.
    @inline(__always)
    func withPlace<Result>(_ body: (ResolvedCollection) throws -> Result) throws -> Result {
        guard let place = unsafe keptChangedLast() else { return try body(place()) }
        return unsafe try place._withUnsafeGuaranteedRef { place in
            try requireKind(of: place)
            return try body(place)
        }
    }

    @inline(__always) private func keptChangedLast() -> Unmanaged<ResolvedCollection>? {
        guard let last = unsafe transaction.changedCollection, last.stamp == transaction.clock.rows,
            unsafe last.isKept, last.isNamed(by: path)
        else { return nil }
        transaction.verify(last)
        return unsafe .passUnretained(last)
    }

    @inline(__always) func lastChanged() -> ResolvedCollection? {
        guard let last = unsafe transaction.changedCollection, last.stamp == transaction.clock.rows,
            last.isNamed(by: path)
        else { return nil }
        transaction.verify(last)
        return last
    }
}
