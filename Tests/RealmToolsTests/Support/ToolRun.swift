// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import RealmTools

/// One run of the tool inside the test's process, and what came of it.
struct ToolRun {
    let status: Int32
    let output: String
    let errors: String
    /// How long it computed.
    let time: Duration

    init(_ arguments: String...) { self.init(arguments) }

    init(_ arguments: [String]) {
        var output: [UInt8] = []
        var errors = ""
        var status: Int32 = 0
        time = processorTime {
            status = RealmTool.run(arguments, output: { output += $0 }, errors: { errors += $0 })
        }
        self.status = status
        self.output = String(decoding: output, as: UTF8.self)
        self.errors = errors
    }
}

enum RealmToolRun {
    /// A run whose output always fails.
    static func failing(_ arguments: [String], with error: any Error, errors: @escaping (String) -> Void) -> Int32 {
        RealmTool.run(arguments, output: { _ in throw error }, errors: errors)
    }
}
