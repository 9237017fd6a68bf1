// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

/// A running process of `regnum-crash-child`.
final class ChildProcess {
    let arguments: [String]
    private let process = Process()
    private let pipe = Pipe()
    private let lines: OutputLines

    /// Starts the process. Its output must be small, since it is read at the end, if at all.
    init(_ arguments: [String]) throws {
        self.arguments = arguments
        guard let program = BuiltProgram.path("regnum-crash-child") else {
            throw Failure("regnum-crash-child was not built")
        }
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        lines = OutputLines(pipe.fileHandleForReading)
        try process.run()
    }

    deinit { if process.isRunning { _ = try? kill() } }

    var identifier: Int { Int(process.processIdentifier) }
    var isRunning: Bool { process.isRunning }

    func nextLine() throws -> String? { try lines.next() }

    /// Waits for the end of the process and returns its output. Throws if the process failed.
    func finish() throws -> String {
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try require(process.terminationStatus == 0, "\(arguments) failed: \(output.suffix(500))")
        return output
    }

    /// Kills the process with SIGKILL and returns its output. Throws if it had ended by itself.
    @discardableResult
    func kill() throws -> String {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        try require(
            process.terminationReason == .uncaughtSignal, "\(arguments) ended by itself: \(output.suffix(300))")
        return output
    }
}
