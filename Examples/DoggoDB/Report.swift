// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The output of the program: chapters with lines for people, or one JSON array for machines.
struct Report {
    let asJSON: Bool
    private var chapters: [[String: Any]] = []

    init(asJSON: Bool) { self.asJSON = asJSON }

    mutating func chapter(_ title: String) {
        chapters.append(["chapter": title, "facts": [[String: Any]]()])
        if !asJSON { print("\n\(title)\n\(String(repeating: "─", count: title.count))") }
    }

    /// Adds an observation: a sentence, and its values under a name.
    mutating func say(_ sentence: String, _ values: [String: Any] = [:]) {
        if !asJSON { print("  " + sentence) }
        guard !chapters.isEmpty else { return }
        var facts = chapters[chapters.count - 1]["facts"] as? [[String: Any]] ?? []
        facts.append(values.merging(["text": sentence]) { $1 })
        chapters[chapters.count - 1]["facts"] = facts
    }

    func finish() throws {
        guard asJSON else { return }
        let data = try JSONSerialization.data(withJSONObject: chapters, options: [.prettyPrinted, .sortedKeys])
        print(String(decoding: data, as: UTF8.self))
    }
}
