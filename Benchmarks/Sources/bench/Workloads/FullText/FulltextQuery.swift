// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension FullTextWorkloads {
    static let query = search("fulltext_query", (0..<500).map { "word\($0) word\($0 * 17 % 9_973)" })
}
