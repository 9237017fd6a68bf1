// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A field of comma-separated values, in quotes if its text needs them (RFC 4180).
enum CSVField {
    static func text(_ text: String, quotesEmpty: Bool = false) -> String {
        let special: [UInt8] = [0x22, 0x2C, 0x0D, 0x0A]
        guard quotesEmpty && text.isEmpty || text.utf8.contains(where: special.contains) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
