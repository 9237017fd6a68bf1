// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension String {
    /// The text with control characters escaped, so that names in a file can't break the lines of a report.
    package var printable: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
