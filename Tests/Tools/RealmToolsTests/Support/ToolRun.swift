// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import RealmTools

/// A run of the tool and its result: inside the test's process, or of the program in `REGNUM_TOOL`, which may be built
/// for release.
struct ToolRun {
    private static let program = ProcessInfo.processInfo.environment["REGNUM_TOOL"]

    let status: Int32
    let output: String
    let errors: String
    let time: Duration

    init(_ arguments: String...) { self.init(arguments) }

    init(_ arguments: [String]) {
        var output: [UInt8] = []
        var errors = ""
        var status: Int32 = 0
        time = processorTime {
            if let program = ToolRun.program {
                status = ToolRun.run(program, arguments, &output, &errors)
                return
            }
            status = RealmTool.run(arguments, output: { output += $0 }, errors: { errors += $0 })
        }
        self.status = status
        self.output = String(decoding: output, as: UTF8.self)
        self.errors = errors
    }

    /// A program ended by a signal has the status 128, and a failure to start one -1.
    private static func run(
        _ program: String, _ arguments: [String], _ output: inout [UInt8], _ errors: inout String
    ) -> Int32 {
        let process = Process()
        let (standard, messages) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        (process.standardOutput, process.standardError) = (standard, messages)
        do { try process.run() } catch { return -1 }
        output = Array(standard.fileHandleForReading.readDataToEndOfFile())
        errors = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : 128
    }
}

enum RealmToolRun {
    static func failing(_ arguments: [String], with error: any Error, errors: @escaping (String) -> Void) -> Int32 {
        RealmTool.run(arguments, output: { _ in throw error }, errors: errors)
    }
}
