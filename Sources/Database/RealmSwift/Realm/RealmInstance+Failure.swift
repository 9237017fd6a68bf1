// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmSystem

/// World errors where the API cannot throw: a damaged file, a full disk, a system call that fails.
///
/// A read gives the empty value, reports what it met once on standard error, and makes the next commit throw it. An
/// instruction of a write that meets one makes the write fail: whatever it is asked to change from then on is skipped,
/// reads go on, and its commit throws the error and takes everything back. A write that cannot begin has failed from
/// the start.
///
/// Mistakes of the program still trap. But once a world error was met, what looks like a mistake may come of it (an
/// object that cannot be found any more, an element that was not inserted), and is refused without a word. Damage that
/// no read has met looks the same, so the file is audited before the trap.
extension RealmInstance {
    /// Runs a read. A world error gives `fallback`.
    @inline(__always)
    func reading<Result>(_ fallback: @autoclosure () -> Result, _ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            report(readFailure(error))
            return fallback()
        }
    }

    /// The world error that a read met. Not inlined: reads are many, and hardly one fails.
    @inline(never)
    private func readFailure(_ error: any Error) -> StorageError {
        switch error {
        case let error as StorageError: error.asDamage.at(path: coordinator.database.path)
        case let error as SystemError: StorageError(error)
        default: StorageError(.fileAccess, "\(error)", path: coordinator.database.path)
        }
    }

    /// Runs what a mistake of the program makes fail; nil after a world error.
    func trappingOnError<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            report(worldFailure(error))
            return nil
        }
    }

    /// Runs what a mistake of the program makes fail, like `trappingOnError`, where the API has to return something and
    /// nothing can stand for it.
    func requiring<Result>(_ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            throwRealmException("\(Realm.Error(worldFailure(error)))")
        }
    }

    /// The world error that `error` is; the one place that tells these from mistakes of the program, which trap here.
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

    /// Runs what may fail, where the API can throw.
    func throwing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw Realm.Error(error)
        }
    }

    /// Notes what the world has done to a read.
    func report(_ error: StorageError) {
        let error = coordinator.database.cause(of: error)
        let isNew = trouble.withLock { trouble in
            defer { trouble = trouble ?? error }
            return trouble == nil
        }
        if isNew { coordinator.logger.log(.error, error.description) }
    }

    /// Whether a world error was met that later ones, and seeming mistakes, may come of.
    var isTroubled: Bool { writes.failure != nil || trouble.withLock { $0 != nil } }

    /// Whether what looks like a mistake may come of a world error: one that was met, or damage that an audit finds.
    private var mayComeOfTrouble: Bool {
        if isTroubled { return true }
        guard let damage = coordinator.foundDamage() else { return false }
        report(damage)
        return true
    }

    /// Traps over a mistake of the program, unless it may come of a world error.
    func refuse(_ text: @autoclosure () -> String) {
        if !mayComeOfTrouble { throwRealmException(text()) }
    }

    /// Throws what the write in progress or reads have met: damage each time, what may pass by itself once.
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
    /// An argument that the Realm found to be right, and the engine does not: the file contradicts itself.
    fileprivate var asDamage: StorageError {
        guard code == .invalidArgument || code == .limitExceeded else { return self }
        return StorageError(.invalidDatabase, message + "; the file is damaged", path: path, offset: offset)
    }

    /// Whether trying again is of no use: what is in the file is wrong.
    var isLasting: Bool { code == .invalidDatabase }
}
