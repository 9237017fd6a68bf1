// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension FullTextWorkloads {
    /// A prefix of eleven words.
    static let prefix = search("fulltext_prefix", (200..<300).map { "word\($0)*" })
}
