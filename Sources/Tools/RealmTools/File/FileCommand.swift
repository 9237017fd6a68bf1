// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import ArgumentParser
import RealmStorage

protocol FileCommand: ParsableCommand {
    var file: String { get }
    /// Runs the command and returns the exit status. Errors are about `file`.
    func execute(output: TextOutput) throws -> Int32
}
