// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    if arguments.first == "use", arguments.count == 5, let first = UInt64(arguments[3]),
        let count = UInt64(arguments[4])
    {
        try useFiles(arguments[1], arguments[2], first..<first + count)
    } else if arguments.first == "show", arguments.count == 3, let number = UInt64(arguments[2]) {
        try HostileFiles.make(in: arguments[1])
        let (use, record) = try HostileFiles(in: arguments[1]).put(number, at: "\(arguments[1])/file.realm")
        print(record)
        print(try processorTime { try use.run(number) })
    } else if let count = arguments.first.flatMap(UInt64.init) {
        let first = arguments.dropFirst().first.flatMap(UInt64.init) ?? 1
        let start = Date()
        let failures = try HostileRun(first: first, count: count).run()
        print("\(count) files from \(first) in \(Int(Date().timeIntervalSince(start))) s, \(failures.count) failures")
        exit(failures.isEmpty ? 0 : 1)
    } else {
        print(
            """
            usage: regnum-hostile COUNT [FIRST]      use so many damaged files, beginning with this one
                   regnum-hostile show FOLDER FILE   use one of them here, and leave it in the folder
            """)
        exit(2)
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
