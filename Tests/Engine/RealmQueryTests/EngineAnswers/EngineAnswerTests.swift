// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmQuery

/// The original engine's answers to queries on one file: equal rows in equal order, or a rejection. `differences.txt`
/// in this folder lists the intended differences (rows Q1 to Q13).
@Suite struct EngineAnswerTests {
    private struct Answer: Decodable {
        let `class`: String
        let query: String
        /// Primary keys; nil if the engine rejects the query.
        let rows: [Int64]?
    }

    @Test(.behaviour("Q02", "Q04", "Q08", "Q10", "Q12", "Q13")) func everyAnswerEqualsThatOfTheEngine() throws {
        let lines = try GzipFile.read(Fixtures.path("queries/answers.jsonl.gz")).split(separator: UInt8(ascii: "\n"))
        let answers = try lines.map { try JSONDecoder().decode(Answer.self, from: Data($0)) }
        let file = try Database.open(Fixtures.path("queries/items.realm"), readOnly: true)
        let snapshot = try file.snapshot(label: "answers")
        var expected = try Self.differences()
        var same = 0
        for answer in answers {
            let found = try Self.run(answer, in: snapshot)
            let isSame = found == answer.rows
            if isSame { same += 1 }
            let name = "\(answer.class) WHERE \(answer.query)"
            let isExpected = expected.removeValue(forKey: name) != nil
            #expect(
                isSame != isExpected,
                "\(name): \(Self.summary(found)), the engine has \(Self.summary(answer.rows))")
        }
        #expect(expected.isEmpty, "in differences.txt, and asked by none: \(expected.keys.sorted())")
        print("EngineAnswerTests: \(same) of \(answers.count) answers are the engine's, in the same order")
    }

    private static func differences() throws -> [String: String] {
        let path = SharedFiles.packageRoot + "/Tests/Engine/RealmQueryTests/EngineAnswers/differences.txt"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        return try lines.filter { !$0.hasPrefix("#") }.reduce(into: [:]) { result, line in
            let parts = line.components(separatedBy: "  # ")
            try #require(parts.count == 2, "not `query  # reason`: \(line)")
            result[parts[0]] = parts[1]
        }
    }

    private static func run(_ answer: Answer, in snapshot: Snapshot) throws -> [Int64]? {
        let table = try #require(try snapshot.table(named: FileFormat.classPrefix + answer.class))
        let column = try #require(table.columns.first { $0.name == "_id" })
        let keys: [ObjectKey]
        do {
            let statement = try QueryStatement(parsing: answer.query)
            keys = try CompiledStatement(statement, on: table.key, in: snapshot).objects(in: snapshot)
        } catch is PredicateError {
            return nil
        }
        return try keys.map { key in
            let position = try #require(try table.find(key))
            guard case .int(let number) = try table.value(column, at: position) else { return -1 }
            return number
        }
    }

    private static func summary(_ rows: [Int64]?) -> String {
        rows.map { "\($0.count) rows \($0.prefix(6))" } ?? "a refusal"
    }
}
