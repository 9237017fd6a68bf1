// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The reads of the instance, which its `VersionReader` serves.
extension RealmInstance {
    package var confinement: Confinement { reader.confinement }
    @inlinable package var snapshot: Snapshot? { reader.snapshot }
    @inlinable package var transaction: WriteTransaction? { reader.transaction }
    @inlinable package var currentWrite: UInt64 { state.pointee.write }
    package var isMigrating: Bool { reader.isMigrating }
    @inlinable package var isFrozen: Bool { state.pointee.isFrozen }
    @inlinable package var epoch: UInt32 { state.pointee.epoch }
    @inlinable package var isInWriteTransaction: Bool { state.pointee.write != 0 }
    package var isTroubled: Bool { reader.isTroubled }
    package var isOnOwnerThread: Bool { state.pointee.isOnOwnerThread || reader.isOnOwnerThread }
    package var source: (any TableSource)? { reader.source }
    package var currentSnapshot: Snapshot? { reader.currentSnapshot }

    package func requireSource() throws -> any TableSource { try reader.requireSource() }

    /// Runs `body` with the source of reads, which it must not replace. References to the source aren't counted,
    /// because that would take a tenth of a small query's time.
    @inline(__always)
    func withSource<Result>(_ body: (any TableSource) throws -> Result) throws -> Result {
        guard let snapshot = state.pointee.snapshot else { return try body(try requireSource()) }
        return try unsafe snapshot._withUnsafeGuaranteedRef { try body($0) }
    }

    package func table(_ key: TableKey) -> Table? { reader.table(key) }

    package func find(_ key: ObjectKey, in table: Table) throws -> ClusterTree.Position? {
        try reader.find(key, in: table)
    }

    package func readsSameVersion(as other: RealmInstance) -> Bool { reader.readsSameVersion(as: other.reader) }

    package func noteRead() { reader.noteRead() }

    package func advance() throws { try reader.advance() }

    package func changed() { reader.changed() }

    // MARK: Checks

    @inlinable package func verifyThread() { if !state.pointee.isOnOwnerThread { reader.verifyThread() } }

    package func verifyInWrite(_ text: @autoclosure () -> String) { reader.verifyInWrite(text()) }

    package func verifyWritable() { reader.verifyWritable() }

    // MARK: Errors

    @inlinable @inline(__always)
    package func reading<Result>(_ fallback: @autoclosure () -> Result, _ body: () throws -> Result) -> Result {
        reader.reading(fallback(), body)
    }

    package func refuse(_ text: @autoclosure () -> String) { reader.refuse(text()) }

    package func report(_ error: StorageError) { reader.report(error) }

    package func worldFailure(_ error: any Error) -> StorageError { reader.worldFailure(error) }

    /// Runs an operation that should fail only because of a programmer error. Returns nil after a world error.
    @inlinable package func trappingOnError<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            reader.report(reader.worldFailure(error))
            return nil
        }
    }
}
