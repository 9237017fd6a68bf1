// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// A program that has run to its end.
public struct FinishedProgram {
    /// 128 after a signal.
    public let status: Int32
    public let output: String

    public enum ErrorOutput: Sendable {
        case shown
        case discarded
        /// Part of `output`.
        case included
    }

    /// Throws if the program can't be started. A name without a slash is looked up like that of a command.
    public init(_ program: String, _ arguments: [String], errors: ErrorOutput = .discarded) throws {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: program.contains("/") ? program : "/usr/bin/env")
        process.arguments = (program.contains("/") ? [] : [program]) + arguments
        process.standardOutput = pipe
        switch errors {
        case .shown: break
        case .discarded: process.standardError = FileHandle.nullDevice
        case .included: process.standardError = pipe
        }
        try process.run()
        output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationReason == .exit ? process.terminationStatus : 128
    }
}
