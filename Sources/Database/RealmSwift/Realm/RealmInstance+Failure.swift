// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmSystem

/// Handles world errors (errors of the environment: a damaged file, a full disk, a failed system call) where the API
/// can't throw.
///
/// A read returns the empty value, logs the error once on standard error, and makes the next commit throw it. An
/// instruction of a write that encounters such an error makes the write fail: all later changes are skipped, reads
/// continue, and its commit throws the error and rolls everything back. A write that can't begin is treated as failed
/// from the start.
///
/// Programmer errors trap. But after a world error, an apparent mistake may be a consequence of it, such as an object
/// that can't be found or an element that wasn't inserted. It is then ignored silently. Undetected damage can also look
/// like a mistake, so the file is audited before the trap.
extension RealmInstance {
    @inline(__always)
    func reading<Result>(_ fallback: @autoclosure () -> Result, _ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            report(readFailure(error))
            return fallback()
        }
    }

    /// Not inlined: reads are frequent and rarely fail.
    @inline(never)
    private func readFailure(_ error: any Error) -> StorageError {
        switch error {
        case let error as StorageError: error.asDamage.at(path: coordinator.database.path)
        case let error as SystemError: StorageError(error)
        default: StorageError(.fileAccess, "\(error)", path: coordinator.database.path)
        }
    }

    /// Runs an operation that should fail only because of a programmer error. Returns nil after a world error.
    func trappingOnError<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            report(worldFailure(error))
            return nil
        }
    }

    /// Like `trappingOnError`, where the API has to return a value and has no placeholder for it: a world error also
    /// traps.
    func requiring<Result>(_ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            throwRealmException("\(Realm.Error(worldFailure(error)))")
        }
    }

    /// Converts `error` to a world error. Traps for programmer errors; only this function distinguishes the two.
    func worldFailure(_ error: any Error) -> StorageError {
        switch error {
        case let error as StorageError where error.isMistake && !mayComeOfTrouble: throwRealmException(error.message)
        case is StorageError, is SystemError: return readFailure(error)
        case let error as PredicateError where mayComeOfTrouble:
            return StorageError(
                .invalidDatabase, error.message + "; the file is damaged", path: coordinator.database.path)
        case let error as PredicateError: throwRealmException(error)
        default: throwRealmException("\(error)")
        }
    }

    func throwing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw Realm.Error(error)
        }
    }

    /// The next commit throws the error.
    func report(_ error: StorageError) {
        let error = coordinator.database.cause(of: error)
        let isNew = trouble.withLock { trouble in
            defer { trouble = trouble ?? error }
            return trouble == nil
        }
        if isNew { coordinator.logger.log(.error, error.description) }
    }

    var isTroubled: Bool { writes.failure != nil || trouble.withLock { $0 != nil } }

    /// Whether an apparent mistake may be caused by a world error that occurred, or by damage that an audit finds.
    private var mayComeOfTrouble: Bool {
        if isTroubled { return true }
        guard let damage = coordinator.foundDamage() else { return false }
        report(damage)
        return true
    }

    /// Traps for a programmer error, unless it may be caused by a world error.
    func refuse(_ text: @autoclosure () -> String) {
        if !mayComeOfTrouble { throwRealmException(text()) }
    }

    /// Throws the world error of the write in progress or its reads: damage each time, a transient error once.
    func verifyUnfailed() throws {
        if let failure = writes.failure { throw failure }
        let met = trouble.withLock { trouble in
            defer { if trouble?.isLasting == false { trouble = nil } }
            return trouble
        }
        if let met { throw met }
    }
}

extension StorageError {
    /// An argument that the Realm has validated and the engine rejects: the file contradicts itself.
    fileprivate var asDamage: StorageError {
        guard code == .invalidArgument || code == .limitExceeded else { return self }
        return StorageError(.invalidDatabase, message + "; the file is damaged", path: path, offset: offset)
    }

    /// Whether a retry would fail too, because the file's content is wrong.
    var isLasting: Bool { code == .invalidDatabase }
}
