// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Converts names of columns to names of the current format, which are distinct and not empty (older 3, 10).
enum RowNames {
    /// Returns the names of a table's columns, renamed as by the original's upgrade.
    static func distinct(_ names: [String]) -> [String] {
        var taken: Set<ByteText> = []
        return names.enumerated().map { number, name in
            var result = name.isEmpty ? "col_\(number)" : shortened(name, by: "")
            var suffix = "_\(number)"
            while !taken.insert(ByteText(result)).inserted {
                result = shortened(name, by: suffix) + suffix
                suffix += "_"
            }
            return result
        }
    }

    /// Returns a name for a new table that isn't in `taken`.
    static func table(_ name: String, _ taken: Set<ByteText>) -> String {
        var result = shortened(name, by: "")
        var number = 2
        while taken.contains(ByteText(result)) {
            result = shortened(name, by: "_\(number)") + "_\(number)"
            number += 1
        }
        return result
    }

    /// Returns keys of a dictionary, which must not begin with "$" nor contain "." (content 7.6).
    static func dictionaryKeys(_ names: [String]) -> [[UInt8]] {
        let allowed = names.map { name in
            String((name.hasPrefix("$") ? "_" + name.dropFirst() : name).map { $0 == "." ? "_" : $0 })
        }
        return distinct(allowed).map { Array($0.utf8) }
    }

    private static func shortened(_ name: String, by suffix: String) -> String {
        var result = Substring(name)
        while result.utf8.count + suffix.utf8.count > FileFormat.maximumNameByteCount { result.removeLast() }
        return String(result)
    }
}
