// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Timestamp {
    /// The timestamp in ISO 8601, with a fraction if it isn't zero. Outside the supported years, the seconds since
    /// 1970.
    package var text: String {
        guard -62_135_596_800..<253_402_300_800 ~= seconds else { return "T\(seconds):\(nanoseconds)" }
        // Both parts have the same sign; the text counts forward from the previous second.
        let isBefore = nanoseconds < 0
        let whole = isBefore ? seconds - 1 : seconds
        let fraction = isBefore ? nanoseconds + 1_000_000_000 : nanoseconds
        // A moment just before the year 1 has its second in the year 0.
        guard whole >= -62_135_596_800 else { return "T\(seconds):\(nanoseconds)" }
        let day = CalendarDay(number: whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400)
        let time = whole - day.number * 86_400
        let clock = [time / 3600, time / 60 % 60, time % 60].map { Timestamp.padded($0, 2) }.joined(separator: ":")
        let date = "\(Timestamp.padded(day.year, 4))-\(Timestamp.padded(day.month, 2))-\(Timestamp.padded(day.day, 2))"
        guard fraction != 0 else { return date + "T" + clock + "Z" }
        let digits = String(Timestamp.padded(Int64(fraction), 9).reversed().drop { $0 == "0" }.reversed())
        return date + "T" + clock + "." + digits + "Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Parses ISO 8601 with `Z` or an offset, a date alone, or the output of `realm query` for distant moments.
    package init?(text: String) {
        if text.hasPrefix("T"), let colon = text.firstIndex(of: ":") {
            guard let seconds = Int64(text[text.index(after: text.startIndex)..<colon]),
                let nanoseconds = Int32(text[text.index(after: colon)...])
            else { return nil }
            self.init(seconds: seconds, nanoseconds: nanoseconds)
            guard isValid else { return nil }
            return
        }
        var scanner = DateScanner(text)
        guard let (whole, fraction) = scanner.scan() else { return nil }
        // Both parts have the same sign in the file; the text counts forward from the previous second.
        let isBefore = whole < 0 && fraction > 0
        self.init(
            seconds: isBefore ? whole + 1 : whole, nanoseconds: Int32(isBefore ? fraction - 1_000_000_000 : fraction))
    }
}

private struct DateScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    /// Returns seconds since 1970, rounded down, and nanoseconds.
    mutating func scan() -> (Int64, Int64)? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
            1...12 ~= month, 1...31 ~= day
        else { return nil }
        var (seconds, fraction): (Int64, Int64) = (CalendarDay(year: year, month: month, day: day).number * 86_400, 0)
        if rest.isEmpty { return (seconds, 0) }
        guard take("T") || take(" "), let hour = number(2), take(":"), let minute = number(2), hour < 25, minute < 60
        else { return nil }
        seconds += hour * 3600 + minute * 60
        if take(":") {
            guard let second = number(2), second < 61 else { return nil }
            seconds += second
            if take(".") {
                let digits = rest.prefix { 0x30...0x39 ~= $0 }
                guard 1...9 ~= digits.count else { return nil }
                rest = rest.dropFirst(digits.count)
                fraction = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
                for _ in digits.count..<9 { fraction *= 10 }
            }
        }
        if take("Z") || rest.isEmpty { return rest.isEmpty ? (seconds, fraction) : nil }
        let isEast = take("+")
        guard isEast || take("-"), let hours = number(2) else { return nil }
        _ = take(":")
        guard let minutes = number(2), rest.isEmpty else { return nil }
        return (seconds + (isEast ? -1 : 1) * (hours * 3600 + minutes * 60), fraction)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func number(_ count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
