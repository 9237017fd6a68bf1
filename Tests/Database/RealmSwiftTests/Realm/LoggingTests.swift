// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Logging, equality, and introspection (behaviours B-577 to B-585). `ObjectTests` tests descriptions.
@Suite struct LoggingTests {
    private final class Lines: Sendable {
        private let lines = Locked<[String]>([])
        func add(_ level: LogLevel, _ message: String) { lines.withLock { $0.append("\(level): \(message)") } }
        var all: [String] { lines.withLock { $0 } }
    }

    private static let levels = LogLevel.allCases.filter { $0 != .off && $0 != .all }

    @Test(.behaviour("B-577", "B-578")) func messagesOfALevelAndAbove() {
        let lines = Lines()
        let logger = Logger(level: .info) { level, message in lines.add(level, message) }
        for level in Self.levels { logger.log(level, "m") }
        #expect(lines.all == ["fatal: m", "error: m", "warn: m", "info: m"])
        logger.level = .off
        #expect(logger.level == .off)
        for level in Self.levels { logger.log(level, "n") }
        #expect(lines.all.count == 4)
        logger.level = .all
        for level in Self.levels { logger.log(level, "o") }
        #expect(lines.all.count == 4 + Self.levels.count)
        logger.log(.off, "never")
        #expect(lines.all.count == 4 + Self.levels.count)
    }

    @Test(.behaviour("B-577")) func realmsUseTheLoggerTheyWereOpenedWith() async {
        let result = await #expect(processExitsWith: .success, observing: .errorText) {
            let lines = Lines()
            precondition(Logger.shared.level == .info)
            let folder = try RuleFolder()
            try folder.open { first in
                Logger.shared = Logger(level: .debug) { lines.add($0, $1) }
                try first.write {}
                precondition(lines.all.isEmpty)
                try folder.open(folder.configuration("second.realm")) { realm in try realm.write { realm.deleteAll() } }
            }
            let path = folder.url("second.realm").path
            let kinds = ["Open file: \(path)", "Committed to '\(path)'", "Close '\(path)'"]
            for kind in kinds { precondition(lines.all.contains { $0.hasSuffix(kind) }, "\(lines.all)") }
            precondition(!lines.all.contains { $0.contains("rules.realm") })
        }
        #expect(!result.errorText.contains("Open file"))
    }

    @Test(.behaviour("B-582")) func accessorsOfOneRow() throws {
        try withRealm(ruleTypes) { realm in
            try realm.write {
                realm.create(RuleDog.self, value: ["id": 1])
                realm.create(RuleBall.self)
            }
            let (first, second) = (realm.objects(RuleDog.self)[0], realm.objects(RuleDog.self)[0])
            #expect(first !== second && first == second && first.hashValue == second.hashValue)
            #expect(Set([first, second]).count == 1)
            let (ball, same) = (realm.objects(RuleBall.self)[0], realm.objects(RuleBall.self)[0])
            #expect(ball != same && ball.isSameObject(as: same))
        }
    }

    @Test(.behaviour("B-583")) func objectsOfTwoRealms() throws {
        try withRealm(ruleTypes) { first in
            try withRealm(ruleTypes) { second in
                let dogs = try [first, second].map { realm in
                    try realm.write { realm.create(RuleDog.self, value: ["id": 1]) }
                }
                #expect(dogs[0] != dogs[1] && !dogs[0].isSameObject(as: dogs[1]))
            }
        }
    }

    @Test(.behaviour("B-584")) func schema() throws {
        try withRealm(ruleTypes) { realm in
            #expect(realm.schema["RuleDog"]?["name"]?.type == .string)
            #expect(realm.schema["RuleDog"]?["nope"] == nil && realm.schema["Nope"] == nil)
        }
    }

    @Test(.behaviour("T16")) func theLinesOfAnOpeningNameTheDatabase() async {
        await #expect(processExitsWith: .success) {
            let log = Locked<[String]>([])
            Logger.shared = Logger(level: .all) { level, message in log.withLock { $0.append("\(level) \(message)") } }
            let folder = try RuleFolder()
            try folder.open { realm in try realm.write {} }
            let found = log.withLock { $0 }
            let path = folder.url().path
            let lines = found.compactMap { $0.firstMatch(of: /^detail (DB: \d+) Open file: (.+)$/) }
            let opening = try #require(lines.first)
            precondition(opening.2 == path, "\(found)")
            for line in [
                "trace \(opening.1) Start read: version", "debug \(opening.1) Committed", "detail \(opening.1) Close",
            ] {
                precondition(found.contains { $0.hasPrefix(line) }, "\(found)")
            }
        }
    }
}
