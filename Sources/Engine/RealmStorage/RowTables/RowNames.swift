// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Names of columns that ours can hold: none is empty, none there twice (older 3, 10).
enum RowNames {
    /// The names of a table's columns, renamed as the original's upgrade does it.
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

    /// The name of a new table, which no table has.
    static func table(_ name: String, _ taken: Set<ByteText>) -> String {
        var result = shortened(name, by: "")
        var number = 2
        while taken.contains(ByteText(result)) {
            result = shortened(name, by: "_\(number)") + "_\(number)"
            number += 1
        }
        return result
    }

    /// Names as keys of a dictionary, which must not begin with "$" nor contain "." (content 7.6).
    static func dictionaryKeys(_ names: [String]) -> [[UInt8]] {
        let allowed = names.map { name in
            String((name.hasPrefix("$") ? "_" + name.dropFirst() : name).map { $0 == "." ? "_" : $0 })
        }
        return distinct(allowed).map { Array($0.utf8) }
    }

    /// The beginning of a name that leaves room for `suffix`.
    private static func shortened(_ name: String, by suffix: String) -> String {
        var result = Substring(name)
        while result.utf8.count + suffix.utf8.count > FileFormat.maximumNameByteCount { result.removeLast() }
        return String(result)
    }
}
