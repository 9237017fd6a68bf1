// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage

/// A command that operates on one file.
protocol FileCommand: ParsableCommand {
    /// The path of the file.
    var file: String { get }
    /// Runs the command and returns the exit status; errors are about `file`.
    func execute(output: TextOutput) throws -> Int32
}
