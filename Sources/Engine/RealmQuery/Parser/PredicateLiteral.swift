// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

enum PredicateLiteral {
    /// Parses a number with an optional sign (decimal, hexadecimal, or `1.5f` for a Float) or a date such as
    /// `2020-01-31@13:05:09:000`. Integers that are too large for an Int become Doubles.
    static func number(_ text: String) -> StoredValue? {
        if text.contains("@") { return date(text) }
        let sign = text.hasPrefix("-") ? "-" : ""
        let digits = sign.isEmpty && !text.hasPrefix("+") ? text[...] : text.dropFirst()
        if digits.lowercased().hasPrefix("0x") { return Int64(sign + digits.dropFirst(2), radix: 16).map { .int($0) } }
        if let value = Int64(sign + digits) { return .int(value) }
        switch digits.lowercased() {
        case "inf", "infinity": return .double(sign.isEmpty ? .infinity : -.infinity)
        case "nan": return .double(.nan)
        default: break
        }
        guard digits.first.map({ $0.isNumber || $0 == "." }) ?? false else { return nil }
        if digits.last == "f" || digits.last == "F" { return Float(sign + digits.dropLast()).map { .float($0) } }
        return Double(sign + digits).map { .double($0) }
    }

    static func call(_ name: String) -> ((String) -> StoredValue?)? {
        switch name {
        case "oid": { ObjectIdBytes(hexadecimal: $0).map { .objectId($0) } }
        case "uuid":
            {
                Hexadecimal.bytes($0.filter { $0 != "-" }, count: UUIDBytes.byteCount).map {
                    .uuid(UUIDBytes(bytes: $0))
                }
            }
        case "decimal": { DecimalBits($0).map { .decimal($0) } }
        case "float": { Float($0).map { .float($0) } }
        case "string64": { Base64.bytes($0).flatMap { String(validatedUTF8: $0) }.map { .string($0) } }
        case "cast": cast
        default: nil
        }
    }

    /// `CAST(value, 'Type')`, as NSPredicate prints dates: in seconds since 2001.
    private static func cast(_ text: String) -> StoredValue? {
        guard let comma = text.lastIndex(of: ",") else { return nil }
        let type = text[text.index(after: comma)...].filter { !" '\"".contains($0) }
        let value = text[..<comma].filter { $0 != " " }
        switch type {
        case "NSDate":
            guard let seconds = Double(value), seconds.magnitude < 1e15 else { return nil }
            let whole = seconds.rounded(.towardZero)
            // In a time since 1970, the whole seconds and the remainder have the same sign.
            var (since1970, rest) = (Int64(whole) + 978_307_200, Int64(((seconds - whole) * 1e9).rounded()))
            if since1970 > 0, rest < 0 { (since1970, rest) = (since1970 - 1, rest + 1_000_000_000) }
            if since1970 < 0, rest > 0 { (since1970, rest) = (since1970 + 1, rest - 1_000_000_000) }
            return time(since1970, rest)
        case "NSNumber": return number(value)
        default: return nil
        }
    }

    /// Requires seconds and nanoseconds since 1970 with the same sign.
    static func time(_ seconds: Int64, _ nanoseconds: Int64) -> StoredValue? {
        guard let nanoseconds = Int32(exactly: nanoseconds) else { return nil }
        let value = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        return value.isValid ? .timestamp(value) : nil
    }

    static func link(_ table: Int64, _ object: Int64) -> StoredValue? {
        UInt32(exactly: table).map { .typedLink(ObjectLink(table: TableKey($0), object: ObjectKey(object))) }
    }

    /// `year-month-day@hour:minute:second[:nanosecond]`, in UTC.
    private static func date(_ text: String) -> StoredValue? {
        let halves = text.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let isBeforeChrist = halves[0].hasPrefix("-")
        let day = halves[0].drop { $0 == "-" }.split(separator: "-").compactMap { Int64($0) }
        let clock = halves[1].split(separator: ":").compactMap { Int64($0) }
        guard day.count == 3, 3...4 ~= clock.count, 1...12 ~= day[1], 1...31 ~= day[2], 0...23 ~= clock[0],
            0...59 ~= clock[1], 0...60 ~= clock[2], day[0] < 1_000_000_000
        else { return nil }
        let days = CalendarDay(year: isBeforeChrist ? -day[0] : day[0], month: day[1], day: day[2]).number
        let seconds = days * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
        let nanoseconds = clock.count == 4 ? clock[3] : 0
        return seconds < 0 && nanoseconds > 0
            ? time(seconds + 1, nanoseconds - 1_000_000_000) : time(seconds, nanoseconds)
    }
}
