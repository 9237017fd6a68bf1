// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

/// Another process that changes a file: `realm shell`.
struct OtherProgram {
    private let process = Process()

    init(_ path: String, _ line: String) throws {
        guard let tool = BuiltProgram.path("realm") else { throw Failure("'realm' was not built") }
        let input = Pipe()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = ["shell", path, "--write"]
        (process.standardInput, process.standardOutput) = (input, FileHandle.nullDevice)
        try process.run()
        input.fileHandleForWriting.write(Data((line + "\n").utf8))
        try input.fileHandleForWriting.close()
    }

    func finish() throws {
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure("'realm shell' failed") }
    }
}
