// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem

/// The environment of the tool's output: the streams for messages and input, and the capabilities of the terminal.
///
/// Immutable. One thread at a time calls its closures, that of the command or the one that draws progress, so `message`
/// must be safe to call from any thread.
struct Terminal: Sendable {
    var showsColours = false
    var showsProgress = false
    var isInteractive = false
    var message: @Sendable (String) -> Void = { _ in }
    /// Returns the next line of the input, without its end; nil at the end of the input.
    var readLine: @Sendable () -> String? = { nil }

    /// Returns the streams of this process. `NO_COLOR` and a terminal of type `dumb` disable colours.
    static func ofProcess(message: @escaping @Sendable (String) -> Void) -> Terminal {
        let environment = ProcessInfo.processInfo.environment
        let isPlain = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
        return Terminal(
            showsColours: isatty(1) == 1 && !isPlain, showsProgress: isatty(2) == 1 && environment["TERM"] != "dumb",
            isInteractive: isatty(0) == 1 && isatty(1) == 1, message: message, readLine: { Swift.readLine() })
    }

    func coloured(_ text: String, _ colour: Colour) -> String {
        showsColours ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    enum Colour: Int {
        case red = 31
        case green = 32
        case yellow = 33
        case faint = 2
        case bold = 1
    }
}
