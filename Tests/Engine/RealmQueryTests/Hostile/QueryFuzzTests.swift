// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

@testable import RealmQuery

/// Valid and hostile texts of both languages, with a time limit for each.
///
/// REGNUM_QUERY_TEXTS sets the number of texts, REGNUM_QUERY_OBJECTS the number of objects, and REGNUM_SEED repeats a
/// run. `regnum-query.txt` in the temporary folder has the current text and its seed, in case it ends the process. That
/// seed and REGNUM_QUERY_TEXTS=1 repeat it.
@Suite(.serialized) struct QueryFuzzTests {
    private let seed: UInt64
    private let rich: RichDatabase
    private let arguments: [PredicateArgument] = [.value(.int(2)), .value(.string("s")), .list([.value(.null)])]
    private let journal = Journal()

    init() throws {
        seed = SeededGenerator(for: "QueryFuzzTests").seed
        rich = try RichDatabase(count: Settings.number("REGNUM_QUERY_OBJECTS") ?? 200, seed: 5)
    }

    @Test func randomTexts() throws {
        let count = Settings.number("REGNUM_QUERY_TEXTS") ?? 2_000
        let valid = try run(count) { $0.text() }
        #expect(count < 1_000 || valid >= count / 2, "\(valid) of \(count) texts are valid")
    }

    @Test func longAndDeepTexts() throws {
        let count = (Settings.number("REGNUM_QUERY_TEXTS") ?? 2_000) / 250
        // The stack has the size that Apple's systems give to threads.
        try onSmallStack { _ = try run(max(count, 1)) { $0.hostile() } }
    }

    /// The time limit for one text, which is linear in its length.
    private static func limit(_ text: String) -> Duration { .seconds(2) + .microseconds(text.utf8.count * 4) }

    private func run(_ count: Int, _ make: (inout RandomTexts) -> String) throws -> Int {
        var (valid, slowest) = (0, (time: Duration.zero, text: "", seed: UInt64(0)))
        for number in 0..<count {
            let seed = seed &+ UInt64(number)
            let random = SeededGenerator(seed: seed)
            let dialect: Predicate.Dialect = number % 2 == 0 ? .query : .predicate
            var texts = RandomTexts(random: random, dialect: dialect)
            let text = make(&texts)
            journal.note("\(seed) \(dialect): \(text)")
            let time = try processorTime { if try isValid(text, dialect) { valid += 1 } }
            if time > slowest.time { slowest = (time, text, seed) }
            #expect(time < Self.limit(text), "seed \(seed), \(text.utf8.count) bytes: \(text.prefix(1_000))")
        }
        print(
            "QueryFuzzTests: \(valid) of \(count) valid, slowest \(slowest.time) seed \(slowest.seed): "
                + "\(slowest.text.prefix(300))")
        return valid
    }

    private func isValid(_ text: String, _ dialect: Predicate.Dialect) throws -> Bool {
        do {
            if dialect == .query {
                let statement = try CompiledStatement(
                    QueryStatement(parsing: text, arguments: arguments), on: rich.table, in: rich.snapshot)
                _ = try statement.objects(in: rich.snapshot)
            } else {
                let predicate = try Predicate(parsing: text, arguments: arguments)
                let query = try Query.compile(predicate, on: rich.table, in: rich.snapshot, dialect: .predicate)
                let found = try query.objects(in: rich.snapshot)
                #expect(try query.count(in: rich.snapshot) == found.count, "\(text.prefix(1_000))")
            }
            return true
        } catch is PredicateError {
            return false
        }
    }
}

private final class Journal: Sendable {
    private let file: Int32

    init() {
        let path = NSTemporaryDirectory() + "/regnum-query.txt"
        file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    }

    deinit { close(file) }

    func note(_ text: String) {
        ftruncate(file, 0)
        _ = text.utf8CString.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count - 1, 0) }
    }
}
