// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

/// The dog register: a tour of Realm on a new database, or a visit to an existing one.
///
///     swift run doggodb [FILE] [--json]
@main
enum DoggoDB {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let files = arguments.filter { !$0.hasPrefix("-") }
        let unknown = arguments.filter { $0.hasPrefix("-") && $0 != "--json" && $0 != Clash.argument }
        guard unknown.isEmpty, files.count <= 1 else { fail("usage: doggodb [FILE] [--json]", status: 2) }
        let report = Report(asJSON: arguments.contains("--json"))
        do {
            if Array(arguments) == [Clash.argument] {
                try Clash.provoke()
            } else if let file = files.first {
                var visit = Visit(file: URL(fileURLWithPath: file), report: report)
                try visit.run()
                try visit.report.finish()
            } else {
                var tour = Tour(configuration: newDatabase(), report: report)
                try tour.run()
                try tour.report.finish()
            }
        } catch {
            fail("doggodb: \(error)", status: 1)
        }
    }

    private static func newDatabase() -> Realm.Configuration {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("doggodb-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return Realm.Configuration(fileURL: folder.appendingPathComponent("doggodb.realm"))
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        let line = message.replacing("\n", with: " ")
        FileHandle.standardError.write(Data((line + "\n").utf8))
        exit(status)
    }
}
