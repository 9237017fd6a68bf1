// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem

/// What is around the tool's output: where messages and input go and come from, and what a terminal there can show.
///
/// Immutable; its closures are called by one thread at a time, that of the command or the one that draws progress,
/// which is why `message` has to be safe to call from any thread.
struct Terminal: Sendable {
    /// Whether the output is read by a person who sees colours.
    var showsColours = false
    /// Whether messages are read by a person, so that a line may be drawn again and again.
    var showsProgress = false
    /// Whether a person types the input.
    var isInteractive = false
    /// Takes the lines of progress.
    var message: @Sendable (String) -> Void = { _ in }
    /// The next line of the input, without its end; nil where the input ends.
    var readLine: @Sendable () -> String? = { nil }

    /// The streams of this process. Colours obey `NO_COLOR`, and so does a terminal that calls itself dumb.
    static func ofProcess(message: @escaping @Sendable (String) -> Void) -> Terminal {
        let environment = ProcessInfo.processInfo.environment
        let isPlain = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
        return Terminal(
            showsColours: isatty(1) == 1 && !isPlain, showsProgress: isatty(2) == 1 && environment["TERM"] != "dumb",
            isInteractive: isatty(0) == 1 && isatty(1) == 1, message: message, readLine: { Swift.readLine() })
    }

    /// The text in one of the terminal's colours.
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
