// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    @testable import RealmSyncServer
    import Testing

    @Suite struct RecentProblemsTests {
        private static func logger(_ problems: RecentProblems) -> (Logger, CollectedLog) {
            let log = CollectedLog()
            var logger = Logger(label: "test") { _ in log }
            logger.logLevel = .trace
            return (problems.recording(logger), log)
        }

        @Test func warningsAndErrorsAreRecorded() {
            let problems = RecentProblems()
            var (logger, log) = Self.logger(problems)
            logger[metadataKey: "server"] = "one"
            logger.info("nothing")
            logger.notice("nothing")
            logger.warning("a warning", metadata: ["user": "ann"])
            logger.critical("the end")
            #expect(problems.count == 2)
            #expect(problems.all.map(\.text) == ["the end", "a warning"])
            #expect(problems.all.map(\.level) == ["critical", "warning"])
            #expect(problems.all.map(\.details) == [["server": "one"], ["server": "one", "user": "ann"]])
            #expect(log.text.split(separator: "\n").count == 4)
        }

        @Test(arguments: [0, 1, 199, 200, 201, 399, 400, 1234]) func theNewestRemain(_ count: Int) {
            let problems = RecentProblems()
            let (logger, _) = Self.logger(problems)
            for number in 0..<count { logger.warning("\(number)") }
            #expect(problems.count == count)
            #expect(problems.all.map(\.text) == (max(0, count - 200)..<count).reversed().map(String.init))
        }

        @Test func longTextsAreCut() {
            let problems = RecentProblems()
            let text = String(repeating: "é", count: 5000)
            Self.logger(problems).0.error("\(text)", metadata: ["text": "\(text)"])
            #expect(problems.all.map(\.text.count) == [1000])
            #expect(problems.all.map { $0.details["text"]?.count } == [1000])
        }
    }
#endif
