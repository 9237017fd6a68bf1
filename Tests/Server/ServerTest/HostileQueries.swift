// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmTestSupport
    import SyncTestSupport

    /// Queries of session 1: valid ones, ones that the server rejects, damaged ones, and very deep or long ones.
    enum HostileQueries {
        /// Subscribes to all notes, as honest clients do.
        static let first = ClientMessage.query(
            session: 1, VersionedQuery(version: 1, text: #"{"Note":"(TRUEPREDICATE)"}"#))

        private static let texts = [
            #"{"Note":"(n > 3) OR (ANY tags == 'a')"}"#, #"{"Note":"(_id IN {1, 2, 3})"}"#, "{}",
            #"{"Note":"(tags.@count > 1 AND NOT n BETWEEN {2, 8})"}"#, #"{"Note":"(missing == 1)"}"#,
            #"{"Other":"(TRUEPREDICATE)"}"#, #"{"Note":"(TRUEPREDICATE SORT(n ASC))"}"#, #"{"Note":1}"#, "[]", "",
            #"{"Note":"(tags == 'x' AND n == 'text')","Note":"(TRUEPREDICATE)"}"#,
            #"{"Note":"(n == 99999999999999999999 OR n == 1e400 OR n == nan)"}"#,
        ]

        static func message(_ generator: inout SeededGenerator) -> [UInt8] {
            let text = text(&generator)
            let version =
                generator.chance(90) ? "\(2 + generator.below(60))" : generator.pick(["0", "-1", "\(UInt64.max)"])
            let count = generator.chance(95) ? text.count : generator.below(100)
            return Array("query 1 \(version) \(count)\n".utf8) + text
        }

        private static func text(_ generator: inout SeededGenerator) -> [UInt8] {
            var text = Array(generator.pick(texts).utf8)
            switch generator.below(5) {
            case 0, 1: break
            case 2, 3:
                for _ in 0..<1 + generator.below(4) where !text.isEmpty {
                    text[generator.below(text.count)] = UInt8(truncatingIfNeeded: generator.next())
                }
            default:
                let word = generator.pick(["(", "NOT ", "n == 1 OR ", "-", "{1,", "tags.@count."])
                let repeated = String(repeating: word, count: generator.below(3000))
                text = Array("{\"Note\":\"(\(repeated) n == 1)\"}".utf8)
            }
            return text
        }
    }
#endif
