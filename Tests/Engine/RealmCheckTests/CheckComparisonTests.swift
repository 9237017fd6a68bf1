// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCheck
import RealmTestSupport
import Testing

/// The audit compared with an independent one, written from the same specification in another language.
@Suite struct CheckComparisonTests {
    @Test func bothAuditsAgreeOnMutatedFiles() throws {
        guard let checker = SharedFiles.path(.checker, "realmcheck.py") else { return }
        guard Self.hasPython else { return Skip.report("python3 is absent") }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("check-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var mutator = FileMutator(seed: FileMutator.seed)
        var isClean: [String: Bool] = [:]
        let fixtures = FileMutator.fixtures(byteLimit: 33_000)
        for round in 0..<200 {
            guard let name = fixtures.randomElement(using: &mutator) else { continue }
            let bytes = mutator.mutated(try FileEditor(name).bytes)
            let path = folder.appendingPathComponent("\(round)-\(name).realm")
            try Data(bytes).write(to: path)
            isClean[path.path] = FileChecker.check(bytes: bytes).isClean
        }
        let others = try Self.cleanFiles(checker, isClean.keys.sorted())
        let differing = isClean.filter { others.contains($0.key) != $0.value }
        print("two audits disagree on \(differing.count) of \(isClean.count) files (seed \(FileMutator.seed))")
        #expect(others.count > 10)
        #expect(others.count < isClean.count - 10)
        #expect(differing.isEmpty, "\(differing.keys.sorted())")
    }

    private static var hasPython: Bool {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }
    }

    private static func cleanFiles(_ checker: String, _ files: [String]) throws -> Set<String> {
        let run = try FinishedProgram("python3", [checker, "check", "--limit", "1"] + files)
        return Set(
            run.output.split(separator: "\n").compactMap { line in
                line.range(of: ": ok: ").map { String(line[..<$0.lowerBound]) }
            })
    }
}
