// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem

/// A file or folder created by a command. It has a temporary name until it's complete, and is removed if the command
/// fails or the process is interrupted.
enum UnfinishedOutput {
    /// Calls `body` with the temporary name, and renames the output to `path` afterwards.
    static func write<Result>(_ path: String, _ body: (_ part: String) throws -> Result) throws -> Result {
        try guarded(path) { part in
            let result = try body(part)
            guard try FileCopy.publish(part, as: path) else {
                throw StorageError(.alreadyExists, "another program has made this file meanwhile", path: path)
            }
            return result
        }
    }

    /// Calls `body` with the temporary name. `body` must rename the output.
    static func guarded<Result>(_ path: String, _ body: (_ part: String) throws -> Result) throws -> Result {
        try WritableFile.requireNone(at: path)
        for leftover in FileCopy.removeLeftovers(of: path) { WritableFile.removeCompanions(of: leftover) }
        let part = FileCopy.partName(of: path)
        do {
            return try Interruption.whileWriting(part) { try body(part) }
        } catch let error as StorageError where error.path.hasPrefix(part) {
            // The user expects the final name of the file.
            throw error.replacing(path: path + error.path.dropFirst(part.count))
        }
    }

    fileprivate static func remove(_ part: String) {
        _ = try? Folder.remove(part)
        WritableFile.removeCompanions(of: part)
    }
}

/// Removes unfinished output when a signal ends the process: Control-C, a closed terminal, or `kill`.
private enum Interruption {
    private static let lock = Lock()
    /// Guarded by `lock`, as is `isWaiting`.
    nonisolated(unsafe) private static var parts: Set<String> = []
    nonisolated(unsafe) private static var isWaiting = false

    /// Runs `body`, which writes `part`. The thread blocks the signals, as do the threads that it creates, so that one
    /// thread receives them all.
    static func whileWriting<Result>(_ part: String, _ body: () throws -> Result) throws -> Result {
        var (blocked, previous) = (signals, sigset_t())
        pthread_sigmask(SIG_BLOCK, &blocked, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        try lock.locked {
            if !isWaiting { isWaiting = SystemThread.runApart(waitForSignal) }
            guard isWaiting else { throw SystemError("pthread_create", path: part, number: EAGAIN) }
            parts.insert(part)
        }
        defer {
            UnfinishedOutput.remove(part)
            lock.locked { _ = parts.remove(part) }
        }
        return try body()
    }

    /// The signals, except those that the parent process has set to be ignored, as `nohup` does.
    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var present = sigaction()
            if sigaction(number, nil, &present) == 0, !isIgnored(present) { sigaddset(&signals, number) }
        }
        return signals
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Ends the process after a signal, with the status that shells use for one terminated by it.
    @Sendable private static func waitForSignal() {
        var (signals, number) = (signals, Int32(0))
        while sigwait(&signals, &number) != 0 {}
        lock.locked {
            // The interrupted command may still be opening a database there, which creates files beside it.
            for delay: UInt32 in [0, 2_000, 2_000, 2_000] {
                CurrentProcess.pause(microseconds: delay)
                for part in parts { UnfinishedOutput.remove(part) }
            }
            _exit(128 + number)
        }
    }
}
